import type { Language } from '../text/languages.js';

/** What the index stores about a turn besides its words. */
export interface TurnTraits {
  /** The text ends with a question mark. */
  readonly endsWithQuestion: boolean;
  /** The text holds a question mark. */
  readonly hasQuestion: boolean;
  /** The text contains a time expression: yesterday, last week, in June. */
  readonly hasTimeWord: boolean;
  /** Proper nouns and quoted words, from 0 for none to 1 for three or more. */
  readonly names: number;
  /** Days since 1970 in UTC: when it was said, else when it arrived. */
  readonly day: number;
  /** The speaker's name from the client, in lower case; null if absent. */
  readonly speaker: string | null;
  /** `user` or `assistant`; other roles unchanged. */
  readonly role: string;
}

/** A turn as passed to the index. */
export interface IndexedTurn extends TurnTraits {
  readonly language: Language;
  /** All of it, as it was sent. */
  readonly text: string;
  /** Count of each stem. */
  readonly terms: ReadonlyMap<string, number>;
}
