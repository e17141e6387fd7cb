import type { LogEvent } from '@turnkeeper/domain';

/** Whose turns are searched. Narrower with each id that is given, never wider. */
export interface TurnScope {
  readonly tenantId: string;
  readonly memoryId: string;
  readonly actorId?: string | undefined;
  /** Only together with an actor. */
  readonly sessionId?: string | undefined;
}

export interface TurnQuery {
  readonly text: string;
  /** Most turns to find. */
  readonly limit: number;
  /** Least score, 0-1. */
  readonly scoreThreshold: number;
  /** Turns to bring along on each side of a hit. */
  readonly window: number;
}

/** What makes up a hit's score: named parts that add up to `sum`, which `speakerFactor` multiplies. */
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
  /** 0-1; 0.5 separates what answers the query from what only shares words with it. */
  readonly score: number;
  readonly parts: TurnScoreParts;
  /** The turns right before and after it in its session, in order; without the hit itself. */
  readonly neighbours: readonly LogEvent<'message.appended'>[];
}

/** What turns say to a query, for what rests on them. */
export interface TurnRanking {
  /** Best first, by a sum that is no score yet. */
  readonly turns: readonly { readonly sessionKey: number; readonly sequence: number; readonly raw: number }[];
  /** How many of the query's words the turns hold. */
  readonly known: number;
  /** Names of those who speak, in lower case. */
  readonly speakers: readonly string[];
  /** Likeness of meaning is part of the sums. */
  readonly comparedMeaning: boolean;
}

export interface TurnSearch {
  /** The best turns of a scope without their texts. */
  rank(scope: TurnScope, text: string, most: number): Promise<TurnRanking>;
  /** Best first. Everything committed before the call is searched. */
  search(scope: TurnScope, query: TurnQuery): Promise<TurnHit[]>;
}

/** The words of turns, kept behind the log's head. */
export interface TurnIndex extends TurnSearch {
  /** How many events of the log are not taken in yet. */
  behind(): Promise<number>;
  /** Takes at most so many further events in; resolves to how many are left. */
  catchUp(most: number): Promise<number>;
}
