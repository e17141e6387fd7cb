import type { OpenedTurns, TurnHit, TurnQuery, TurnRanking, TurnScope, TurnSearch } from '@turnkeeper/application';
import type { LogEvent } from '@turnkeeper/domain';
import {
  asksOfPast,
  calibrated,
  candidates,
  evidenceWeight,
  FEWER_CANDIDATES,
  mergeStems,
  rankTurns,
  reachOf,
  readTurnQuery,
  respeltTerms,
  RECIPE,
  stemsOf,
  turnCalibration,
  type LexicalScore,
  type QueryContext,
  type QueryTerm,
  type RankedTurn,
  type TermPostings,
  type TurnRecipe,
  type TurnTable,
} from '@turnkeeper/search';
import type { TenantPool } from '../../connections/tenant-pool.js';
import { listOf } from '../../connections/database.js';
import { eventOf, type EventRow } from '../../log/read/event-row.js';
import { contextOf, type HeldScope } from './held-scope.js';
import type { HeldTurn, PlacedTurn, ScopeTurns } from './scope-turns.js';
import { inSteps, timeSlices } from '../time-slices.js';
import { tailOf, type Tail, type TailRow } from './tail.js';
import type { TurnMeaning } from '../vectors/turn-meaning.js';
import type { TurnIndexDrift } from './turn-comparison.js';
import { CATCH_UP, MAX_CATCH_UPS, type TurnIndexer } from './turn-indexer.js';
import { READ_ACTOR_SCOPE, READ_MEMORY_SCOPE, READ_TURNS, TAIL, TAIL_SESSIONS, TAIL_SPAN } from './turn-search.sql.js';
import { SegmentSource, type FoundTurns } from './segment-source.js';

export interface TurnIndexLimits {
  /**
   * Scopes of up to this many turns are ranked completely: a date or a session may lead to a turn that shares no word.
   */
  readonly rankedWhole: number;
  /** Above this many turns, a first stage selects segments by words alone: those with the most of the rarest words. */
  readonly twoStages: number;
}
const LIMITS: TurnIndexLimits = { rankedWhole: 2_000, twoStages: 10_000 };
/** Number of top turns by words that are reranked by meaning. */
const RERANKED = 50;
/** If fewer turns match by words, a completely ranked scope is also searched by meaning. */
const FEW = 10;
/** Minimum similarity for a turn that shares no word with the question: any two texts are slightly similar. */
const LEAST_LIKENESS = 0.35;
/** Maximum number of turns from days named in the question, for scopes that are not ranked completely. */
const MAX_OF_DAYS = 500;
/** Further hits to read if some of the best are expired but not yet purged. */
const SPARE = 10;

/** The first row of a scope: what is indexed of it. In the others, which are the tail, these columns are null. */
type ScopeRow = Omit<HeldScope, 'session_key'> & { readonly scope_key: number | null };

interface OpenedScope {
  readonly held: HeldScope;
  readonly source: SegmentSource;
  readonly tail: Tail;
  readonly context: QueryContext;
}

interface Ranking {
  /** Best first. */
  readonly ranked: readonly RankedTurn[];
  readonly table: TurnTable<HeldTurn>;
  /** The turns that were read for it. */
  readonly turns: ScopeTurns;
  /** See `TurnRanking`. */
  readonly weight: number;
  readonly scopeTurns: number;
  readonly comparedMeaning: boolean;
}

/** Ranks turns by their words, the words of their neighbours, and other hints in the question. */
export class PgTurnIndex implements TurnSearch {
  /** @param tenants queries the index for one tenant */
  constructor(
    private readonly tenants: TenantPool,
    private readonly indexer: TurnIndexer,
    private readonly limits: TurnIndexLimits = LIMITS,
    private readonly recipe: TurnRecipe = RECIPE,
    /** Absent: turns are ranked by their words only. */
    private readonly meaning?: TurnMeaning,
  ) {}

  /** Number of log events not yet indexed. */
  behind(): Promise<number> {
    return this.indexer.behind();
  }

  /** Indexes at most `most` further events; resolves to the number of events left. */
  catchUp(most: number): Promise<number> {
    return this.indexer.catchUp(most);
  }

  /** Compares the index with the log and rebuilds it if they differ. */
  rebuild(options: { readonly onlyCompare: boolean }): Promise<TurnIndexDrift> {
    return this.indexer.rebuild(options);
  }

  asksOfPast(text: string): boolean {
    return asksOfPast(text);
  }

  async search(scope: TurnScope, query: TurnQuery): Promise<TurnHit[]> {
    return (await this.open(scope)).search(query);
  }

  async open(scope: TurnScope): Promise<OpenedTurns> {
    const opened = await this.read(scope);
    const rankings = new Map<string, Promise<Ranking>>();
    const ranking = (text: string): Promise<Ranking> => {
      const known = rankings.get(text) ?? this.rankAll(scope, opened, text);
      rankings.set(text, known);
      return known;
    };
    return {
      speakers: opened.context.speakers,
      rank: async (text, most) => bestOf(await ranking(text), most),
      search: async (query) => this.hitsFor(scope, opened.tail, await ranking(query.text), query),
    };
  }

  private async hitsFor(scope: TurnScope, tail: Tail, ranking: Ranking, asked: TurnQuery): Promise<TurnHit[]> {
    const { ranked, weight, scopeTurns, comparedMeaning, turns } = ranking;
    const top = ranked[0]?.raw ?? 0;
    const calibration = turnCalibration(comparedMeaning, scopeTurns);
    const best = ranked
      .slice(0, asked.limit + SPARE)
      .map((turn) => ({ ...turn, score: calibrated(turn.raw, weight, top, calibration) }))
      .filter(({ score }) => score >= asked.scoreThreshold);
    const hits = await this.hitsOf(scope, best.slice(0, asked.limit), tail, turns, asked.window);
    const missing = asked.limit - hits.length;
    if (missing === 0 || best.length <= asked.limit) return hits;
    const spare = await this.hitsOf(scope, best.slice(asked.limit), tail, turns, asked.window);
    return [...hits, ...spare.slice(0, missing)];
  }

  private async read(scope: TurnScope): Promise<OpenedScope> {
    const { held, tail } = await this.nearCursor(scope);
    const source = new SegmentSource(this.tenants, scope, held, tail, this.limits.twoStages);
    return { held, source, tail, context: contextOf(held, tail) };
  }

  private async rankAll(scope: TurnScope, { held, source, context }: OpenedScope, text: string): Promise<Ranking> {
    const query = readTurnQuery(text, context);
    const windows = scope.sessionId === undefined ? query.windows : [];
    const { terms, turns, size } = await wordsFound(query.terms, source, windows);
    const whole = held.turns <= this.limits.rankedWhole;
    const work = timeSlices.begin();
    const found = await inSteps(candidates(terms, size, this.recipe, whole ? undefined : FEWER_CANDIDATES), work);
    if (work.isDue) await work.pause();
    const table = whole ? turns.allTraits() : turns.someTraits(placesToRead(turns, found, windows));
    const byWords = rankTurns(query, found, table, this.recipe);
    const meaningOf = await this.meaningOf(scope, text, context.speakers, byWords, whole ? table : null, turns);
    const ranked = meaningOf === null ? byWords : rankTurns(query, found, table, this.recipe, meaningOf);
    const weight = evidenceWeight(query, terms, size, ranked[0], reachOf(this.recipe));
    const comparedMeaning = meaningOf !== null;
    return { ranked, weight, table, turns, scopeTurns: size.turns, comparedMeaning };
  }

  /**
   * Weighted similarity of the best turns to the question. If almost no words match, covers all turns of a small scope.
   */
  private async meaningOf(
    scope: TurnScope,
    text: string,
    speakers: readonly string[],
    byWords: readonly RankedTurn[],
    all: TurnTable<HeldTurn> | null,
    turns: ScopeTurns,
  ): Promise<((session: number, place: number) => number) | null> {
    if (this.meaning === undefined) return null;
    const best = byWords.slice(0, RERANKED);
    const found = new Set(best.map(({ session, place }) => `${session} ${place}`));
    const few = all !== null && best.length < FEW;
    const compared = few ? [...all.entries()].map(([session, place]) => ({ session, place })) : best;
    const likeness = await this.meaning.likeness(scope, text, speakers, compared, (session, place) =>
      turns.sequenceOf(session, place),
    );
    if (likeness === null) return null;
    return (session, place) => {
      const like = likeness(session, place);
      const enough = found.has(`${session} ${place}`) || (few && like >= LEAST_LIKENESS);
      return enough ? this.recipe.meaning * like : 0;
    };
  }

  /** First updates the index to near the head of the log if the tail of the scope cannot be read instead. */
  private async nearCursor(scope: TurnScope): Promise<Pick<OpenedScope, 'held' | 'tail'>> {
    for (let round = 0; ; round += 1) {
      const isLast = round === MAX_CATCH_UPS;
      const { held, rows } = await this.readScope(scope, isLast);
      const behind = held.head - held.indexed;
      // What is behind the index may be too much to look for its tail, or its own tail too long to be read.
      const isFound = scope.actorId === undefined ? behind <= TAIL_SPAN : held.asked <= TAIL_SESSIONS;
      if (behind <= TAIL || (isFound && held.unread < TAIL) || isLast) {
        return { held, tail: await tailOf(rows, held.indexed) };
      }
      await this.indexer.catchUp(CATCH_UP);
    }
  }

  /** @param whole read the tail although the index is far behind */
  private async readScope(scope: TurnScope, whole: boolean): Promise<{ held: HeldScope; rows: readonly TailRow[] }> {
    const values = [scope.tenantId, scope.memoryId, scope.actorId ?? null, scope.sessionId ?? null];
    const { rows } = await this.tenants.query<ScopeRow & TailRow>(
      scope.tenantId,
      scope.actorId === undefined
        ? { name: 'turn_scope_of_memory', text: READ_MEMORY_SCOPE, values }
        : { name: 'turn_scope_of_actor', text: READ_ACTOR_SCOPE, values: [...values, whole] },
    );
    const held = rows.find(({ indexed }) => indexed !== null);
    if (held === undefined) throw new Error('the index of turns has no cursor');
    return { held: { ...held, session_key: held.scope_key }, rows: rows.filter(({ indexed }) => indexed === null) };
  }

  private async hitsOf(
    scope: TurnScope,
    ranked: readonly (RankedTurn & { readonly score: number })[],
    tail: Tail,
    turns: ScopeTurns,
    window: number,
  ): Promise<TurnHit[]> {
    const byPlace = new Map(turns.cut);
    for (const { session, place, event } of tail.added) byPlace.set(`${session} ${place}`, event);
    const wanted = new Map<string, { readonly session: number; readonly place: number; readonly sequence: number }>();
    for (const { session, place } of ranked) {
      for (let near = place - window; near <= place + window; near += 1) {
        const sequence = byPlace.has(`${session} ${near}`) ? null : turns.sequenceOf(session, near);
        if (sequence !== null) wanted.set(`${session} ${sequence}`, { session, place: near, sequence });
      }
    }
    const read = [...wanted.values()];
    const { rows } = await this.tenants.query<EventRow>(scope.tenantId, {
      name: 'read_turns',
      text: READ_TURNS,
      values: [
        scope.tenantId,
        listOf(read.map(({ session }) => session)),
        listOf(read.map(({ sequence }) => sequence)),
      ],
    });
    for (const row of rows) {
      const place = wanted.get(`${row.session_key} ${row.sequence}`)?.place;
      byPlace.set(`${row.session_key} ${place}`, eventOf(row) as LogEvent<'message.appended'>);
    }
    return ranked.flatMap(({ session, place, score, parts }) => {
      const event = byPlace.get(`${session} ${place}`);
      if (event === undefined) return [];
      const around = Array.from({ length: 2 * window + 1 }, (_, at) => place - window + at);
      const neighbours = around.flatMap((near) => (near === place ? [] : (byPlace.get(`${session} ${near}`) ?? [])));
      return [{ event, score, parts, neighbours }];
    });
  }
}

/** The terms' postings. Words that no turn has are searched for again, as those that they may be misspellings of. */
const wordsFound = async (
  terms: readonly QueryTerm[],
  source: SegmentSource,
  windows: Parameters<SegmentSource['find']>[1],
): Promise<{ readonly terms: TermPostings[] } & Pick<FoundTurns, 'turns' | 'size'>> => {
  const first = await source.find(stemsOf(terms), windows);
  const known = new Set(first.postings.flatMap(({ term, turns }) => (turns > 0 ? [term] : [])));
  const respelt = respeltTerms(terms, (stem) => known.has(stem));
  const { turns, size, postings } = respelt === null ? first : await source.find(stemsOf(respelt), windows);
  return { terms: mergeStems(respelt ?? terms, postings, size), turns, size };
};

const bestOf = ({ ranked, table, weight, scopeTurns, comparedMeaning }: Ranking, most: number): TurnRanking => {
  const turns = ranked.slice(0, most).flatMap(({ session, place, raw }) => {
    const sequence = table.get(session, place)?.sequence;
    return sequence === undefined ? [] : [{ sessionKey: session, sequence, raw }];
  });
  return { turns, weight, scopeTurns, comparedMeaning };
};

/**
 * The candidates, the turns before them that may be asking, and turns from days named in the question; some more than
 * once.
 */
const placesToRead = (
  turns: ScopeTurns,
  found: readonly LexicalScore[],
  windows: Parameters<ScopeTurns['fromDays']>[0],
): PlacedTurn[] => {
  const wanted: PlacedTurn[] = [];
  for (const { session, place, before } of found) {
    wanted.push([session, place]);
    // Whether it asks only matters if it has some of the words.
    if (before > 0) wanted.push([session, place - 1]);
  }
  for (const turn of turns.fromDays(windows)) {
    wanted.push(turn);
    if (wanted.length > MAX_OF_DAYS + 2 * found.length) break;
  }
  return wanted;
};
