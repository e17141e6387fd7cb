import type { LogEvent } from '@turnkeeper/domain';
import type { MemoryScope } from '../log/event-store.port.js';

/** Whose turns are searched. Every id given narrows the search. */
export interface TurnScope extends MemoryScope {
  readonly actorId?: string | undefined;
  /** Requires `actorId`. */
  readonly sessionId?: string | undefined;
}

export interface TurnQuery {
  readonly text: string;
  /** Maximum number of turns. */
  readonly limit: number;
  /** Minimum score, 0-1. */
  readonly scoreThreshold: number;
  /** Neighbouring turns to return on each side of a hit. */
  readonly window: number;
}

/** Components of a hit's score. They add up to `sum`, which is multiplied by `speakerFactor`. */
export interface TurnScoreParts {
  readonly context: number;
  readonly own: number;
  readonly session: number;
  readonly answersQuestion: number;
  readonly date: number;
  readonly when: number;
  readonly names: number;
  readonly opening: number;
  readonly asks: number;
  readonly meaning: number;
  readonly speakerFactor: number;
}

export interface TurnHit {
  readonly event: LogEvent<'message.appended'>;
  /** 0-1. From 0.5 on a turn is considered an answer; below, it only shares words with the query. */
  readonly score: number;
  readonly parts: TurnScoreParts;
  /** The turns directly before and after it in its session, in order, without the hit itself. */
  readonly neighbours: readonly LogEvent<'message.appended'>[];
}

/** Scores of turns for a query, used to rank records based on them. */
export interface TurnRanking {
  /** Best first, by raw sum (not yet a score). */
  readonly turns: readonly { readonly sessionKey: number; readonly sequence: number; readonly raw: number }[];
  /** How much the sum of the best turn says about whether it answers the query; 0 if there are no turns. */
  readonly weight: number;
  /** True if the sums include semantic similarity. */
  readonly comparedMeaning: boolean;
  /** Number of turns that were searched. */
  readonly scopeTurns: number;
}

/** The ranking if nothing is based on turns. */
export const NO_TURNS: TurnRanking = { turns: [], weight: 0, comparedMeaning: false, scopeTurns: 0 };

/** A scope whose size and speakers have been read, for one request. A text is ranked once, however often it is asked. */
export interface OpenedTurns {
  /** Lower-case names of the speakers. */
  readonly speakers: readonly string[];
  /** The best turns, without their texts. */
  rank(text: string, most: number): Promise<TurnRanking>;
  /** The best turns with their texts, as `TurnSearch.search` returns them. */
  search(query: TurnQuery): Promise<TurnHit[]>;
}

export interface TurnSearch {
  /** The query asks for what happened, so it also concerns what was superseded since. */
  asksOfPast(text: string): boolean;
  /** Reads what a scope contains, as of this call. */
  open(scope: TurnScope): Promise<OpenedTurns>;
  /** Best first. Sees everything committed before the call. */
  search(scope: TurnScope, query: TurnQuery): Promise<TurnHit[]>;
}
