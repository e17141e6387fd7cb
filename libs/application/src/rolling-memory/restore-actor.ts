import type { RestoreQuery } from '@turnkeeper/contracts';
import {
  actorMemoryOf,
  assertReaches,
  contextBlock,
  isUserRole,
  keepsRollingMemory,
  reachesNamespace,
  restoreFormat,
  restoreMessages,
  ROLLING_DEFAULTS,
  rollingStateOf,
  type Reach,
  type RestoreMessage,
  type SpokenTurn,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { readableMessages } from '../extraction/window.js';
import type { StrategyView } from '../memories/memory-store.port.js';
import { requireMemory } from '../memories/require-memory.js';
import { RankItems, type RankedItems } from '../recall/rank-items.js';
import { newestOf } from '../recall/recall-records.js';
import type { TokenCounter } from '../recall/token-counter.port.js';
import { truncated } from '../recall/truncated.js';
import type { ActorScope } from './rolling-memory-store.port.js';

export interface RestoredActor {
  readonly actorId: string;
  readonly facts: readonly string[];
  readonly summary: string;
  readonly messages: readonly RestoreMessage[];
}

/** Maximum number of facts read. */
const MAX_FACTS = 500;
/** Hardly any fact has fewer tokens, with its date. */
const LEAST_TOKENS = 8;
/** Sessions searched for literal turns. */
const MAX_SESSIONS = 10;
/** Sessions searched for a summary by the SUMMARY strategy. */
const MAX_SUMMARISED = 3;

type Deps = Pick<Ports, 'memories' | 'eventStore' | 'rollingMemory' | 'records' | 'turns' | 'tokens' | 'inSteps'>;

/** Builds what a new realtime session needs to remember its user. */
export class RestoreActor {
  private readonly ranking: RankItems;

  constructor(private readonly deps: Deps) {
    this.ranking = new RankItems(deps);
  }

  async execute(reach: Reach, actorId: string, query: RestoreQuery): Promise<RestoredActor> {
    const { tenantId } = reach;
    assertReaches(reach, { memoryId: query.memoryId, actorId });
    const { memories, rollingMemory, tokens, inSteps } = this.deps;
    await requireMemory(memories, tenantId, query.memoryId);
    const scope = { tenantId, memoryId: query.memoryId, actorId };
    const [sessions, strategies] = await Promise.all([
      rollingMemory.ofActor(scope),
      memories.strategies(tenantId, query.memoryId),
    ]);
    const captured = actorMemoryOf(sessions);
    const summaries = captured.summaries.length > 0 ? captured.summaries : await this.ownSummaries(scope, strategies);
    // Facts are denser than summaries, so these get at most half of the budget.
    const summary = newestThatFit(summaries, Math.floor(query.budget / 2), tokens);
    const { matches, newest } = await this.ranked(reach, scope, strategies, captured.facts, query);
    const ranked = matches.length > 0 ? matches : newest;
    const limits = { budget: query.budget, most: query.query === undefined ? undefined : query.k };
    // In chronological order, as in the block.
    const count = (text: string): number => tokens.count(text);
    const { items } = await inSteps(contextBlock(ranked, limits, count, restoreFormat(summary)));
    const turns = query.turns === 0 ? [] : await this.lastTurns(scope, query.turns);
    const messages = restoreMessages({ instructions: query.instructions, facts: items, summary, turns });
    const isChosen = new Set(items);
    const facts = matches.length > 0 ? matches.filter((item) => isChosen.delete(item)) : items;
    return { actorId, facts: facts.map(({ text }) => text), summary, messages };
  }

  /** The facts that match the opening words, and the newest and strongest ones. */
  private ranked(
    reach: Reach,
    scope: ActorScope,
    strategies: readonly StrategyView[],
    captured: readonly string[],
    { query, k, budget }: RestoreQuery,
  ): Promise<RankedItems> {
    const { tenantId, memoryId, actorId } = scope;
    const most = query === undefined ? Math.min(MAX_FACTS, Math.ceil(budget / LEAST_TOKENS)) : k;
    return this.ranking.execute(scope, {
      reach,
      words: query ?? '',
      strategies,
      turns: false,
      captured,
      most,
      newestRecords: async () => {
        const records = await this.deps.records.newestOfActor(tenantId, memoryId, actorId, 2 * most);
        return newestOf(
          records.filter(({ namespace }) => reachesNamespace(reach, strategies, namespace)),
          most,
        );
      },
    });
  }

  /** The SUMMARY strategy's summaries of the actor's newest sessions, oldest first. */
  private async ownSummaries(scope: ActorScope, strategies: readonly StrategyView[]): Promise<readonly string[]> {
    const { rollingMemory } = this.deps;
    const strategy = strategies.find((each) => keepsRollingMemory(each) && each.status === 'ACTIVE');
    if (strategy === undefined) return [];
    const newest = await rollingMemory.recentSessions(scope, MAX_SUMMARISED);
    const summaries = await Promise.all(
      newest.toReversed().map(async (sessionId) => {
        const windows = await rollingMemory.windows({ ...scope, sessionId }, strategy.strategyId);
        return rollingStateOf(windows, strategy.rolling ?? ROLLING_DEFAULTS).summary;
      }),
    );
    return summaries.filter((summary) => summary !== '');
  }

  /** The newest messages of both sides, across sessions if necessary, oldest first. */
  private async lastTurns(scope: ActorScope, count: number): Promise<readonly SpokenTurn[]> {
    const { eventStore, rollingMemory } = this.deps;
    let turns: SpokenTurn[] = [];
    for (const sessionId of await rollingMemory.recentSessions(scope, MAX_SESSIONS)) {
      const newest = await eventStore.readSession(
        { ...scope, sessionId },
        { types: ['message.appended'], order: 'newest-first', limit: count - turns.length },
      );
      const spoken = readableMessages(newest.reverse()).flatMap(({ role, content }): SpokenTurn[] =>
        isUserRole(role)
          ? [{ role: 'user', text: content }]
          : role.toLowerCase() === 'assistant'
            ? [{ role: 'assistant', text: content }]
            : [],
      );
      turns = [...spoken, ...turns];
      if (turns.length >= count) break;
    }
    return turns.slice(-count);
  }
}

/** The newest of these texts that fit, oldest first; of the newest one, at least its beginning. */
const newestThatFit = (texts: readonly string[], most: number, tokens: TokenCounter): string => {
  let kept = truncated(texts.at(-1) ?? '', most, tokens);
  for (const text of texts.slice(0, -1).toReversed()) {
    const more = `${text} ${kept}`;
    if (tokens.count(more) > most) break;
    kept = more;
  }
  return kept;
};
