import type { Word } from '../text/words.js';
import { isAdverb, isAuxiliary, isPresent, plural, singular } from './verb-forms.js';

/** Inflects the verb after a singular name, and the verbs coordinated with it ("runs, reads and plays"). */
export const agreeWithName = (words: readonly Word[], subject: number, edits: Map<number, string>): void => {
  const verbAt = lastOfCompound(words, skipAdverbs(words, subject + 1));
  const verb = words[verbAt];
  if (verb === undefined || /[,;(]/.test(words[verbAt - 1]?.after ?? '')) return;
  const present = isPresent(verb);
  // "I gave up my car and do everything by bike"; after "did" or "helped her", the next verb may be an infinitive.
  if (!present && (isAuxiliary(verb) || !verb.tags.has('PastTense') || BEFORE_INFINITIVE.test(verb.lower))) return;
  if (present) edits.set(verbAt, singular(verb.text));
  for (let index = verbAt + 1; index < words.length; index += 1) {
    const word = words[index] as Word;
    if (startsOwnPhrase(word)) return;
    if (!isJoined(words, index) || endsNounList(words, index)) continue;
    if (/^(?:am|have|do|don't|haven't)$/.test(word.lower)) edits.set(index, singular(word.lower));
    else if (present && isJoinedVerb(word) && !isAuxiliary(verb)) edits.set(index, singular(word.text));
  }
};

const BEFORE_INFINITIVE = /^(?:helped|made|let|saw|heard|watched|had|felt)$/;

/** "emotions like relief, excitement and worry": the last word is a noun, whatever else it can be. */
const endsNounList = (words: readonly Word[], index: number): boolean =>
  words[index - 2]?.tags.has('Noun') === true && (words[index - 3]?.after ?? '').includes(',');

/** A verb after "to", a modal or another subject does not agree with this subject. */
const startsOwnPhrase = (word: Word): boolean =>
  word.lower === 'to' ||
  word.tags.has('Modal') ||
  /^(?:i|he|she|they|we|you|who|that|which|where|when|what|how|why)$/.test(word.lower);

const isJoined = (words: readonly Word[], index: number): boolean => {
  const before = words[index - 1];
  const link = before !== undefined && isAdverb(before) ? words[index - 2] : before;
  return /^(?:and|or|but|then)$/.test(before?.lower ?? '') || /^(?:and|or|but)$/.test(link?.lower ?? '');
};

/** "color-code" is inflected at its last part. */
const lastOfCompound = (words: readonly Word[], from: number): number => {
  let index = from;
  while (/^[-–]$/.test(words[index]?.after ?? '')) index += 1;
  return index;
};

const isJoinedVerb = (word: Word): boolean =>
  (word.tags.has('Infinitive') || word.tags.has('PresentTense')) &&
  !word.tags.has('Gerund') &&
  !word.tags.has('Noun') &&
  !word.lower.endsWith('s');

/** "they am" becomes "they are". */
export const agreeWithThey = (words: readonly Word[], subject: number, edits: Map<number, string>): void => {
  const verbAt = skipAdverbs(words, subject + 1);
  const verb = words[verbAt];
  if (verb !== undefined && plural(verb.text) !== verb.text) edits.set(verbAt, plural(verb.text));
};

const skipAdverbs = (words: readonly Word[], from: number): number => {
  let index = from;
  while (index < words.length && isAdverb(words[index] as Word) && !isAuxiliary(words[index] as Word)) index += 1;
  return index;
};
