import type { RestoreQuery } from '@turnkeeper/contracts';
import {
  actorMemoryOf,
  factKey,
  isUserRole,
  keepsRollingMemory,
  restoreMessages,
  ROLLING_DEFAULTS,
  rollingStateOf,
  type RestoreMessage,
  type SpokenTurn,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { readableMessages } from '../extraction/window.js';
import { requireMemory } from '../memories/require-memory.js';
import { RecallRecords } from '../recall/recall-records.js';
import { shortened, withinBudget } from '../recall/within-budget.js';
import type { ActorScope } from './rolling-memory-store.port.js';

export interface RestoredActor {
  readonly actorId: string;
  readonly facts: readonly string[];
  readonly summary: string;
  readonly messages: readonly RestoreMessage[];
}

/** Maximum number of facts read; a budget holds fewer. */
const MAX_FACTS = 500;
/** Sessions searched for literal turns. */
const MAX_SESSIONS = 10;
/** Sessions searched for a summary by the SUMMARY strategy. */
const MAX_SUMMARISED = 3;

type Deps = Pick<Ports, 'memories' | 'eventStore' | 'rollingMemory' | 'records' | 'turns' | 'tokens'>;

/** Builds what a new realtime session needs to remember its user. */
export class RestoreActor {
  private readonly recall: RecallRecords;

  constructor(private readonly deps: Deps) {
    this.recall = new RecallRecords(deps);
  }

  async execute(tenantId: string, actorId: string, query: RestoreQuery): Promise<RestoredActor> {
    const { memories, rollingMemory, tokens } = this.deps;
    await requireMemory(memories, tenantId, query.memoryId);
    const scope = { tenantId, memoryId: query.memoryId, actorId };
    const captured = actorMemoryOf(await rollingMemory.ofActor(scope));
    const whole = captured.summary === '' ? await this.ownSummary(scope) : captured.summary;
    // Facts are denser than a summary, so the summary gets at most half of the budget.
    const summary = shortened(whole, Math.floor(query.budget / 2), tokens);
    const left = query.budget - tokens.count(summary);
    const facts = await this.facts(scope, captured.facts, query, (texts) => withinBudget(texts, left, tokens));
    const turns = query.turns === 0 ? [] : await this.lastTurns(scope, query.turns);
    const messages = restoreMessages({ instructions: query.instructions, facts, summary, turns });
    return { actorId, facts, summary, messages };
  }

  /** Facts that match the opening words, best first; without words or matches, the newest facts, oldest first. */
  private async facts(
    scope: ActorScope,
    captured: readonly string[],
    { query, k }: RestoreQuery,
    within: (texts: readonly string[]) => string[],
  ): Promise<string[]> {
    const { rollingMemory } = this.deps;
    if (query !== undefined) {
      const [fitting, records] = await Promise.all([
        rollingMemory.rank(query, captured, k),
        this.recall.fitting(scope, query, k),
      ]);
      const best = unique([...fitting, ...records.map(({ text }) => text)]).slice(0, k);
      if (best.length > 0) return within(best);
    }
    const newest = unique([...captured, ...(await rollingMemory.recordTexts(scope, MAX_FACTS))]).reverse();
    return within(query === undefined ? newest : newest.slice(0, k)).reverse();
  }

  /** The SUMMARY strategy's summary of the actor's newest session that has one; empty if none has. */
  private async ownSummary(scope: ActorScope): Promise<string> {
    const { memories, rollingMemory } = this.deps;
    const strategies = await memories.strategies(scope.tenantId, scope.memoryId);
    const strategy = strategies.find((each) => keepsRollingMemory(each) && each.status === 'ACTIVE');
    if (strategy === undefined) return '';
    for (const sessionId of await rollingMemory.recentSessions(scope, MAX_SUMMARISED)) {
      const windows = await rollingMemory.windows({ ...scope, sessionId }, strategy.strategyId);
      const { summary } = rollingStateOf(windows, strategy.rolling ?? ROLLING_DEFAULTS);
      if (summary !== '') return summary;
    }
    return '';
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

const unique = (texts: readonly string[]): string[] => [
  ...new Map(texts.map((text) => [factKey(text), text])).values(),
];
