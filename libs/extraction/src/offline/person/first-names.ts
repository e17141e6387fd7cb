import nlp from 'compromise/two';

interface Model {
  readonly one?: { readonly lexicon?: Readonly<Record<string, string | readonly string[]>> };
}
const LEXICON = (nlp as unknown as { model(): Model }).model().one?.lexicon ?? {};

/** Whether a word is a common first name and nothing else, and whose; "any" if men and women have it. */
export const firstName = (word: string): 'he' | 'she' | 'any' | null => {
  const tag = Object.hasOwn(LEXICON, word.toLowerCase()) ? LEXICON[word.toLowerCase()] : undefined;
  return tag === 'MaleName' ? 'he' : tag === 'FemaleName' ? 'she' : tag === 'FirstName' ? 'any' : null;
};
