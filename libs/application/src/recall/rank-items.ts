import {
  attributeText,
  captionsIn,
  factKey,
  isAssistantRole,
  isCutSomewhere,
  isFromAssistant,
  isUserRole,
  speakerIn,
  statementsIn,
  strategyKind,
  type ContextItem,
  type LogEvent,
  type Reach,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { readableMessages } from '../extraction/window.js';
import type { StrategyView } from '../memories/memory-store.port.js';
import type { RecordHit, RecordView } from '../records/record-reader.port.js';
import { askedWords } from './asked-words.js';
import { OpenTurns } from './open-turns.js';
import { alternating, namespacesOf, RecallRecords, withNewest, type RecallScope } from './recall-records.js';
import type { TurnHit } from './turn-search.port.js';

/** Maximum matching turns and records read; a budget holds fewer. */
const MAX_TURNS = 60;
const MAX_RECORDS = 40;
/** Newest turns and records, used after the matches or without a query. */
const NEWEST_TURNS = 12;
const NEWEST_RECORDS = 20;
/** Current values of the actor that a call may begin with. */
const MAX_VALUES = 20;
/** Sessions searched for the newest turns. */
const MAX_SESSIONS = 5;
/** A record carries less detail than the turn itself, so a turn wins a tie. */
const RECORD_FACTOR = 0.75;
/**
 * The record of a whole session shares words with many questions, takes the tokens of several facts, and mostly repeats
 * turns and facts that answer better.
 */
const REPORT_FACTOR = 0.3;

/** Known now, or read meanwhile. */
type Soon<T> = T | Promise<T>;

export interface RankWish {
  /** What the caller reaches: other namespaces are left out. */
  readonly reach: Reach;
  /** The user's message or question; empty for none. */
  readonly words: string;
  /** Strategies of the memory, whose namespaces hold the records. */
  readonly strategies: Soon<readonly StrategyView[]>;
  /** Whether turns are ranked as well as facts. */
  readonly turns: boolean;
  /** Leaves out the turns of this session after this sequence. */
  readonly except?: Soon<{ readonly sessionId: string; readonly after: number } | undefined>;
  /** Facts of captured memory states, oldest first. */
  readonly captured?: readonly string[] | undefined;
  /** Maximum number of matching records. Default: 40. */
  readonly most?: number | undefined;
  /** The records to use without matches, first the most important. Default: the newest of the memory's strategies. */
  readonly newestRecords?: (() => Promise<readonly RecordView[]>) | undefined;
}

/** Candidates, best first. */
export interface RankedItems {
  /** The matches; alternating with the newest items if no match is likely to be wanted. */
  readonly matches: readonly ContextItem[];
  /** Newest and strongest first. */
  readonly newest: readonly ContextItem[];
}

interface ScoredItem {
  readonly item: ContextItem;
  readonly score: number;
}

type Deps = Pick<Ports, 'records' | 'turns' | 'eventStore'> & {
  readonly rollingMemory: Pick<Ports['rollingMemory'], 'recentSessions' | 'rank'>;
};

/** Ranks what is remembered of an actor for a prompt: records, facts of captured memory states, and turns. */
export class RankItems {
  private readonly recall: RecallRecords;

  constructor(private readonly deps: Deps) {
    this.recall = new RecallRecords(deps);
  }

  async execute(scope: RecallScope, wanted: RankWish): Promise<RankedItems> {
    // The same words for turns and records: the turns, which records are based on, are ranked once.
    const wish = { ...wanted, words: askedWords(wanted.words) };
    const hasWords = wish.words.trim() !== '';
    const [scored, fitting, newest] = await Promise.all([
      hasWords ? this.matches(scope, wish) : [],
      hasWords ? this.matchingCaptured(wish) : [],
      this.newest(scope, wish),
    ]);
    const records = [...scored.map(({ item }) => item), ...newest].filter(({ kind }) => kind === 'record');
    const known = new Map(records.toReversed().map((item) => [factKey(item.text), item]));
    const order = new Map((wish.captured ?? []).map((text, place) => [text, place]));
    // A captured fact that is also a record has its id and time.
    const capturedItem = (text: string): ContextItem => known.get(factKey(text)) ?? undatedItem(text, order.get(text));
    const matches = alternating(
      fitting.map(capturedItem),
      scored.map(({ item }) => item),
    );
    const all = [...newest, ...(wish.captured ?? []).toReversed().map(capturedItem)];
    const best = scored[0]?.score ?? (fitting.length > 0 ? 1 : 0);
    const mark = await this.changeMarker(scope, wish, [...matches, ...all]);
    return {
      matches: matches.length === 0 ? [] : withNewest(matches, best, all).map(mark),
      newest: all.map(mark),
    };
  }

  /** Adds to turns what holds instead of what they say, so that no old value passes for the current one. */
  private async changeMarker(
    scope: RecallScope,
    wish: RankWish,
    items: readonly ContextItem[],
  ): Promise<(item: ContextItem) => ContextItem> {
    const turns = items.flatMap(({ kind, id }) => (kind === 'turn' ? [id] : []));
    const namespaces = namespacesOf(wish.reach, await wish.strategies, scope);
    const changes = await this.deps.records.successors(scope.tenantId, scope.memoryId, namespaces, [...new Set(turns)]);
    return (item) => {
      const successors = item.kind === 'turn' ? changes.get(item.id) : undefined;
      if (successors === undefined) return item;
      const changed = successors.map(({ text, attribute }) => (attribute === null ? text : attributeText(attribute)));
      return { ...item, changed: [...new Set(changed)] };
    };
  }

  private async matches(scope: RecallScope, wish: RankWish): Promise<ScoredItem[]> {
    const opened = new OpenTurns(this.deps.turns, { tenantId: scope.tenantId, memoryId: scope.memoryId });
    const [hits, records, strategies, except] = await Promise.all([
      wish.turns ? this.matchingTurns(opened, scope.actorId, wish.words) : [],
      this.matchingRecords(opened, scope, wish),
      wish.strategies,
      wish.except,
    ]);
    const ranked = [
      ...hits
        .filter(({ event }) => event.sessionId !== except?.sessionId || (event.sequence ?? 0) <= except.after)
        .map(({ event, score }) => ({ item: turnItem(event), score })),
      ...records.map((record) => {
        const item = recordItem(record, strategies);
        return {
          item,
          score: record.score * (wish.turns ? RECORD_FACTOR : 1) * (item.isReport === true ? REPORT_FACTOR : 1),
        };
      }),
    ];
    return ranked.sort((a, b) => b.score - a.score);
  }

  private async matchingRecords(opened: OpenTurns, scope: RecallScope, wish: RankWish): Promise<readonly RecordHit[]> {
    const namespaces = namespacesOf(wish.reach, await wish.strategies, scope);
    return this.recall.best(opened, namespaces, wish.words, wish.most ?? MAX_RECORDS);
  }

  private async matchingTurns(opened: OpenTurns, actorId: string, text: string): Promise<readonly TurnHit[]> {
    const turns = await opened.of(actorId);
    return turns.search({ text, limit: MAX_TURNS, scoreThreshold: 0, window: 0 });
  }

  private async matchingCaptured({ words, captured = [], most }: RankWish): Promise<readonly string[]> {
    if (captured.length === 0) return [];
    return this.deps.rollingMemory.rank(words, captured, most ?? MAX_RECORDS);
  }

  private async newest(scope: RecallScope, wish: RankWish): Promise<ContextItem[]> {
    const [turns, [records, values], strategies] = await Promise.all([
      wish.turns ? this.newestTurns(scope, wish.except) : [],
      this.newestRecords(scope, wish),
      wish.strategies,
    ]);
    const isKnown = new Set(values.map(({ recordId }) => recordId));
    const items = [...values, ...records.filter(({ recordId }) => !isKnown.has(recordId))].map((record) =>
      recordItem(record, strategies),
    );
    return [
      ...items.filter(({ isReport }) => isReport !== true),
      ...turns,
      ...items.filter(({ isReport }) => isReport),
    ];
  }

  private async newestRecords(
    scope: RecallScope,
    wish: RankWish,
  ): Promise<[newest: readonly RecordView[], values: readonly RecordView[]]> {
    const namespaces = namespacesOf(wish.reach, await wish.strategies, scope);
    return Promise.all([
      wish.newestRecords?.() ?? this.recall.newest(scope, namespaces, NEWEST_RECORDS),
      wish.turns ? this.currentValues(scope, namespaces) : [],
    ]);
  }

  private async currentValues(
    { tenantId, memoryId, actorId }: RecallScope,
    namespaces: readonly string[],
  ): Promise<RecordView[]> {
    const records = await this.deps.records.attributesOfActor(tenantId, memoryId, actorId, MAX_VALUES);
    return records.filter(({ namespace }) => namespaces.includes(namespace));
  }

  private async newestTurns(scope: RecallScope, after: RankWish['except']): Promise<ContextItem[]> {
    const { eventStore, rollingMemory } = this.deps;
    const { tenantId, memoryId, actorId } = scope;
    const [sessions, except] = await Promise.all([
      rollingMemory.recentSessions({ tenantId, memoryId, actorId }, MAX_SESSIONS),
      after,
    ]);
    const turnsOf = async (sessionId: string): Promise<ContextItem[]> => {
      const events = await eventStore.readSession(
        { tenantId, memoryId, actorId, sessionId },
        {
          types: ['message.appended'],
          order: 'newest-first',
          limit: NEWEST_TURNS,
          ...(sessionId === except?.sessionId ? { before: except.after } : {}),
        },
      );
      const readable = new Set(readableMessages([...events].reverse()).map(({ eventId }) => eventId));
      return (events as LogEvent<'message.appended'>[])
        .filter(({ data, eventId }) => (isUserRole(data.role) || isAssistantRole(data.role)) && readable.has(eventId))
        .map(turnItem);
    };
    const [newest, ...earlier] = sessions;
    const turns = newest === undefined ? [] : await turnsOf(newest);
    // Mostly one session has enough; the others are read together.
    if (turns.length < NEWEST_TURNS) turns.push(...(await Promise.all(earlier.map(turnsOf))).flat());
    return turns.slice(0, NEWEST_TURNS);
  }
}

const cutNote = ({ data }: LogEvent<'message.appended'>): string[] =>
  isCutSomewhere(data) ? ['[interrupted: its end was not heard]'] : [];

const turnItem = (event: LogEvent<'message.appended'>): ContextItem => {
  const { role, content, metadata } = event.data;
  return {
    kind: 'turn',
    id: event.eventId,
    eventIds: [event.eventId],
    text: [content, ...captionsIn(metadata).map((caption) => `[shows ${caption}]`), ...cutNote(event)].join(' '),
    at: event.occurredAt ?? event.recordedAt,
    side: isUserRole(role) ? 'user' : 'assistant',
    speaker: speakerIn(metadata),
    // Turns that a platform reports after the call are recorded at the same time.
    place: event.sequence ?? 0,
  };
};

const recordItem = (record: RecordView, strategies: readonly StrategyView[]): ContextItem => {
  const statements = statementsIn(record.sources);
  const type = strategies.find(({ strategyId }) => strategyId === record.strategyId)?.type;
  return {
    kind: 'record',
    id: record.recordId,
    text: record.text,
    at: record.saidAt,
    speaker: null,
    side: statements.length > 0 && statements.every(({ role }) => isAssistantRole(role)) ? 'assistant' : 'user',
    eventIds: statements.map(({ eventId }) => eventId),
    quotes: statements.map(({ eventId, quote }) => ({ eventId, quote })),
    ...(record.attribute === null ? {} : { attribute: record.attribute }),
    ...(type !== undefined && strategyKind(type).summary === 'episode' ? { isReport: true } : {}),
  };
};

const undatedItem = (text: string, place = 0): ContextItem => ({
  kind: 'record',
  id: '',
  text,
  at: '',
  speaker: null,
  eventIds: [],
  place,
  side: isFromAssistant(text) ? 'assistant' : 'user',
});
