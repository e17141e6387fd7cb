import type { Language } from '../text/languages.js';

/** What the index keeps of one turn besides its words. */
export interface TurnTraits {
  /** The text ends with a question mark. */
  readonly endsWithQuestion: boolean;
  /** The text holds a question mark. */
  readonly hasQuestion: boolean;
  /** The text says when: yesterday, last week, in June. */
  readonly hasTimeWord: boolean;
  /** Proper nouns and quoted words, from 0 for none to 1 for three or more. */
  readonly names: number;
  /** Days since 1970 in UTC: when it was said, else when it arrived. */
  readonly day: number;
  /** Who speaks: the name that the client gave, in lower case; null when it gave none. */
  readonly speaker: string | null;
  /** `user` or `assistant`; other roles as they came. */
  readonly role: string;
}

/** A turn as the index takes it in. */
export interface IndexedTurn extends TurnTraits {
  readonly language: Language;
  /** How often each stem occurs. */
  readonly terms: ReadonlyMap<string, number>;
}
