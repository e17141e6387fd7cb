import {
  isUserRole,
  llmRequest,
  resolveNamespace,
  type Agent,
  type LlmRequest,
  type LlmRequestOptions,
  type MessageEvent,
} from '@turnkeeper/domain';
import type { Clock } from '../ports/clock.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { RecordStore } from '../ports/record-store.port.js';
import { requireAgent } from './agent-change.js';
import { windowOfAgent, type AgentReaders } from './agent-messages.js';

export interface LlmRequestWish extends LlmRequestOptions {
  /** Most long-term memories to inject; 0 for none. */
  readonly memories: number;
}

/** Longest query that records are searched with. */
const MAX_QUERY = 1_000;

/** Makes the request that an agent's model is to get next: system messages, long-term memory, window. */
export class GetLlmRequest {
  constructor(
    private readonly deps: AgentReaders & {
      readonly memories: MemoryStore;
      readonly records: RecordStore;
      readonly clock: Clock;
    },
  ) {}

  async execute(tenantId: string, agentId: string, wish: LlmRequestWish): Promise<LlmRequest> {
    const { agents, eventStore, clock } = this.deps;
    const agent = await requireAgent(agents, tenantId, agentId);
    const window = await windowOfAgent(eventStore, agent);
    const memories = wish.memories === 0 ? [] : await this.recall(agent, window, wish.memories);
    return llmRequest({ agent, window, memories, options: wish, nowMs: clock.now().getTime() });
  }

  /** The actor's records that fit what the user said last, then the newest ones, up to the limit. */
  private async recall(agent: Agent, window: readonly MessageEvent[], limit: number): Promise<string[]> {
    const { tenantId, memoryId, actorId, sessionId } = agent;
    const strategies = await this.deps.memories.strategies(tenantId, memoryId);
    const namespaces = strategies.map(({ strategyId, namespaceTemplate }) =>
      resolveNamespace(namespaceTemplate, { memoryStrategyId: strategyId, actorId, sessionId }),
    );
    const text = lastWords(window);
    const found = await Promise.all(
      [...new Set(namespaces)].map((namespace) => this.recallFrom(agent, namespace, text, limit)),
    );
    const best = found.flatMap(({ hits }) => hits).sort((a, b) => b.score - a.score);
    const newest = found.flatMap((each) => each.newest).sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    return [...new Map([...best, ...newest].map((record) => [record.recordId, record.text])).values()].slice(0, limit);
  }

  private async recallFrom({ tenantId, memoryId }: Agent, namespace: string, text: string, limit: number) {
    const { records } = this.deps;
    const [hits, newest] = await Promise.all([
      text === '' ? [] : records.search(tenantId, memoryId, namespace, { text, limit, scoreThreshold: 0 }),
      records.list(tenantId, memoryId, namespace, limit),
    ]);
    return { hits, newest };
  }
}

const lastWords = (window: readonly MessageEvent[]): string =>
  (window.findLast(({ data }) => isUserRole(data.role) && data.content.trim() !== '')?.data.content ?? '').slice(
    0,
    MAX_QUERY,
  );
