import { isName, NEGATIONS, PERSON_NOUNS, type Token } from '../facts/tokens.js';
import { verbOf } from '../facts/verbs.js';

const SPEAKER = /^(?:i|we)(?:['’]\p{L}+)?$/u;
const OTHER = /^(?:he|she|they|you|who|someone|somebody|everyone)(?:['’]\p{L}+)?$/u;
const OF_THE_SPEAKER = /^(?:my|our|your)$/;
const BEFORE_A_COMPANION = /^(?:with|for|from|to|by|at|near|than|like)$/;
const JOINT = /^(?:that|which|how|if|whether|because|cause|unless|when|where)$/;
const FINITE = /^(?:is|are|was|were|has)$/;
const NOT_SO = /^(?:no|nothing|without|wish|wishes|wished|hate|hated|dislike|stopped|quit)$/;
const OTHERS_QUESTION = /^(?:i|my|mine|we|our|he|him|his|she|her|hers|they|them|their)(?:['’]\p{L}+)?$/u;

/**
 * Whether the speaker says that what is named at `at` is part of their life: the subject of the clause is "I" or "we",
 * and the clause is not negative. When in doubt, it is not.
 */
export const isOwnMention = (sentence: readonly Token[], at: number): boolean => {
  for (let index = at - 1; index >= 0; index -= 1) {
    const token = sentence[index] as Token;
    if (SPEAKER.test(token.key)) return true;
    if (OTHER.test(token.key) || JOINT.test(token.key) || NOT_SO.test(token.key) || NEGATIONS.has(token.key))
      return false;
    // "I heard the neighbours are building a boat"
    if (FINITE.test(token.key) && !SPEAKER.test(sentence[index - 1]?.key ?? '')) return false;
    if (isPerson(sentence, index)) return false;
  }
  return OF_THE_SPEAKER.test(sentence[at]?.key ?? '');
};

/** A question to the speaker speaks of the speaker's life, unless it names other people. */
export const isAboutListener = (question: readonly Token[]): boolean =>
  !question.some(({ key }) => OTHERS_QUESTION.test(key) || PERSON_NOUNS.has(key.replace(/['’]s$/, '')));

const isPerson = (sentence: readonly Token[], index: number): boolean => {
  const token = sentence[index] as Token;
  // "I went with my sister and bought a boat"
  if (PERSON_NOUNS.has(token.key.replace(/['’]s$/, '')))
    return !BEFORE_A_COMPANION.test(sentence[index - 2]?.key ?? '');
  const next = verbOf(sentence[index + 1]?.key ?? '');
  return isName(token, index) && (next?.form === 'past' || next?.form === 'third');
};
