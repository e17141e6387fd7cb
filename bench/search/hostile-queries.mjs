import { randomFrom } from '../../tools/shared/random.mjs';

/** Turns that the most frequent words are counted in. */
const SAMPLE = 5_000;
const LONG = 10_000;

const longOf = (next) => {
  let text = '';
  while (text.length < LONG) text += next();
  return text.slice(0, LONG);
};

const frequentWords = (texts, most) => {
  const random = randomFrom(11);
  const counts = new Map();
  for (let n = 0; n < SAMPLE; n += 1) {
    for (const word of texts
      .turn(random)
      .toLowerCase()
      .match(/\p{L}{4,}/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([word]) => word);
};

/**
 * Queries that may cost more than a question, by what they are.
 *
 * @returns {Record<string, string>}
 */
export const hostileQueries = (texts) => {
  const random = randomFrom(13);
  const words = frequentWords(texts, 64);
  return {
    'a usual question': texts.question(randomFrom(7)),
    '10,000 characters of questions': longOf(() => `${texts.question(random)} `),
    'the 64 most frequent words': words.join(' '),
    'stop words': 'the of and to in is it was for on that with as at by be this have from or'.repeat(5),
    'tsquery operators, frequent words': words
      .slice(0, 12)
      .map((word, at) => `${['!', '(', '<->', ':*', '&', '|'][at % 6]} ${word}`)
      .join(' '),
    emoji: '🌊🐙👩‍👩‍👧‍👦🏳️‍🌈 '.repeat(100),
    'right-to-left, control characters': '\u202eمرحبا\u202c \u200f\u0007\u001b[31m שלום '.repeat(50),
    'quotes, wildcards, SQL': `'; drop table records; -- "%_%" \\ * ? ' or '1'='1`.repeat(20),
    'one word of 10,000 letters': 'a'.repeat(LONG),
    // Every pair of characters is a different one.
    '10,000 characters of Chinese': longOf(() => String.fromCodePoint(0x4e00 + Math.floor(random() * 5_000))),
  };
};
