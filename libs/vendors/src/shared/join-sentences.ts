/** Scripts that put no space between sentences. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uff60]$/u;

/** Joins sentences that arrived one at a time, with a space where the script uses one. */
export const joinSentences = (sentences: readonly string[]): string =>
  sentences.reduce((text, sentence) => {
    if (text === '' || sentence === '') return text + sentence;
    return /\s$/.test(text) || /^\s/.test(sentence) || UNSPACED.test(text) ? text + sentence : `${text} ${sentence}`;
  }, '');
