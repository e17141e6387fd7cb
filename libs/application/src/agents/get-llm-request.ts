import {
  actorMemoryOf,
  factKey,
  isUserRole,
  llmRequest,
  type Agent,
  type LlmRequest,
  type LlmRequestOptions,
  type MessageEvent,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { RollingMemoryStore } from '../rolling-memory/rolling-memory-store.port.js';
import { MEMORY_BUDGET, withinBudget } from '../recall/within-budget.js';
import { RecallRecords } from '../recall/recall-records.js';
import { requireAgent } from './agent-change.js';
import { windowOfAgent, type AgentReaders } from './agent-messages.js';

export interface LlmRequestWish extends LlmRequestOptions {
  /** Maximum number of long-term memories to inject; 0 for none. */
  readonly memories: number;
}

/** Builds the next request to an agent's model: system messages, long-term memory and window. */
export class GetLlmRequest {
  constructor(
    private readonly deps: AgentReaders &
      Pick<Ports, 'memories' | 'records' | 'turns' | 'tokens' | 'clock'> & {
        readonly rollingMemory: Pick<RollingMemoryStore, 'ofActor' | 'rank'>;
      },
  ) {}

  async execute(tenantId: string, agentId: string, wish: LlmRequestWish): Promise<LlmRequest> {
    const { agents, eventStore, clock } = this.deps;
    const agent = await requireAgent(agents, tenantId, agentId);
    const window = await windowOfAgent(eventStore, agent);
    const memories = wish.memories === 0 ? [] : await this.recall(agent, window, wish.memories);
    return llmRequest({ agent, window, memories, options: wish, nowMs: clock.now().getTime() });
  }

  /**
   * The actor's records and captured facts that match the user's last message, then the newest ones, without
   * duplicates, up to the limit and 800 tokens.
   */
  private async recall(agent: Agent, window: readonly MessageEvent[], limit: number): Promise<string[]> {
    const { rollingMemory, tokens } = this.deps;
    const recall = new RecallRecords(this.deps);
    const words = lastWords(window);
    const [fitting, newest, captured] = await Promise.all([
      recall.fitting(agent, words, limit),
      recall.newest(agent, limit),
      rollingMemory.ofActor(agent).then((sessions) => actorMemoryOf(sessions).facts),
    ]);
    const matching =
      words === '' || captured.length === 0 ? [] : await rollingMemory.rank(words.slice(0, MAX_QUERY), captured, limit);
    const texts = [
      ...fitting.map(({ text }) => text),
      ...matching,
      ...newest.map(({ text }) => text),
      ...captured.toReversed(),
    ];
    const facts = [...new Map(texts.map((text) => [factKey(text), text])).values()];
    return withinBudget(facts.slice(0, limit), MEMORY_BUDGET, tokens);
  }
}

/** Maximum number of characters of the user's last message that captured facts are ranked by. */
const MAX_QUERY = 1_000;

const lastWords = (window: readonly MessageEvent[]): string =>
  window.findLast(({ data }) => isUserRole(data.role) && data.content.trim() !== '')?.data.content ?? '';
