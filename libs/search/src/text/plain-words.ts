import { withoutApostrophes } from './apostrophes.js';

/** What is known of a word of plain text, so that a frequent one is looked up once for all that is asked of it. */
export interface PlainWord {
  /** In lower case, with its apostrophes. */
  readonly spelling: string;
  /** As `wordsOf` returns it; '' for none. */
  readonly word: string;
  /** Its runs of letters. */
  readonly letters: readonly string[];
  /** The languages that its letters are frequent in; `languages.ts` sets them. */
  languages: readonly string[] | undefined;
  /** What it is indexed under by language; `tokenise.ts` sets it. */
  readonly terms: Map<string, string>;
  /** May begin an expression of time; `traits.ts` sets it. */
  beginsTime: boolean | undefined;
}

const WORD = /[a-z0-9]+(?:'[a-z]+)*/g;
const LETTERS = /[a-z]+/g;
/** Longer runs of letters are keys or encoded data. They are truncated, so that they can still be found. */
export const LONGEST_WORD = 64;
const MAX_REMEMBERED = 50_000;

const remembered = new Map<string, PlainWord>();

const remember = (match: string): PlainWord => {
  const made: PlainWord = {
    spelling: match,
    word: withoutApostrophes(match).slice(0, LONGEST_WORD),
    letters: match.match(LETTERS) ?? [],
    languages: undefined,
    terms: new Map(),
    beginsTime: undefined,
  };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(match, made);
  return made;
};

/** A text is asked for its language, its words and its traits one after the other. */
let last: { readonly text: string; readonly words: readonly PlainWord[] } = { text: '', words: [] };

/** The words of an ASCII text, in its order. */
export const plainWordsOf = (text: string): readonly PlainWord[] => {
  if (text === last.text) return last.words;
  const words = (text.toLowerCase().match(WORD) ?? []).map((match) => remembered.get(match) ?? remember(match));
  last = { text, words };
  return words;
};
