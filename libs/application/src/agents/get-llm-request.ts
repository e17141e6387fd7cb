import {
  actorMemoryOf,
  assertReaches,
  contextBlock,
  isUserRole,
  llmRequest,
  type Agent,
  type LlmRequest,
  type LlmRequestOptions,
  type MessageEvent,
  type Reach,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { RankItems } from '../recall/rank-items.js';
import { requireAgent } from './agent-change.js';
import { windowOfAgent, type AgentReaders } from './agent-messages.js';

export interface LlmRequestWish extends LlmRequestOptions {
  /** Maximum number of long-term memories to inject; 0 for none. */
  readonly memories: number;
}

/** Maximum number of tokens of the long-term memory in a request. */
const MEMORY_BUDGET = 800;

/** Builds the next request to an agent's model: system messages, long-term memory and window. */
export class GetLlmRequest {
  private readonly ranking: RankItems;

  constructor(
    private readonly deps: AgentReaders &
      Pick<Ports, 'memories' | 'records' | 'turns' | 'rollingMemory' | 'tokens' | 'inSteps' | 'clock'>,
  ) {
    this.ranking = new RankItems(deps);
  }

  async execute(reach: Reach, agentId: string, wish: LlmRequestWish): Promise<LlmRequest> {
    const { agents, eventStore, clock } = this.deps;
    const agent = await requireAgent(agents, reach.tenantId, agentId);
    assertReaches(reach, agent);
    const window = await windowOfAgent(eventStore, agent);
    const memory = wish.memories === 0 ? '' : await this.recall(reach, agent, window, wish.memories);
    return llmRequest({ agent, window, memory, options: wish, nowMs: clock.now().getTime() });
  }

  /**
   * The context block of the user's last message, as `POST …/context` builds it, with the facts of captured memory states
   * and without what the window shows. Turns are those before the agent's start: the window shows its own, and a reset hides
   * them. Without strategies, the memory is not meant to connect sessions, so no turns are used.
   */
  private async recall(reach: Reach, agent: Agent, window: readonly MessageEvent[], most: number): Promise<string> {
    const { memories, rollingMemory, tokens, inSteps } = this.deps;
    const [captured, strategies] = await Promise.all([
      rollingMemory.ofActor(agent).then((sessions) => actorMemoryOf(sessions).facts),
      memories.strategies(agent.tenantId, agent.memoryId),
    ]);
    const { matches, newest } = await this.ranking.execute(agent, {
      reach,
      words: lastWords(window),
      strategies,
      turns: strategies.length > 0,
      except: { sessionId: agent.sessionId, after: agent.startedSequence },
      captured,
    });
    const shown = new Set(window.map(({ eventId }) => eventId));
    const limits = { budget: MEMORY_BUDGET, most, shown };
    const block = await inSteps(contextBlock([...matches, ...newest], limits, (text) => tokens.count(text)));
    return block.text;
  }
}

const lastWords = (window: readonly MessageEvent[]): string =>
  window.findLast(({ data }) => isUserRole(data.role) && data.content.trim() !== '')?.data.content ?? '';
