/** Words that a made-up language has; the first are the most frequent ones. */
const VOCABULARY = 20_000;
/** Zipf's law as in chats: the most frequent word is in about every tenth turn. */
const SHIFT = 10;
const WORDS_PER_TURN = 13;
const STOP_WORDS = ['I', 'the', 'to', 'and', 'it', 'was', 'my', 'of', 'with', 'for'];

const SYLLABLES = ['ba', 'do', 'fi', 'gu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'so', 'ti', 'vo', 'wa', 'ze'];

/** A pronounceable word for each number, the same in every run. */
const wordOf = (rank) => {
  let word = '';
  for (let left = rank + SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length];
  return `${word}n`;
};
const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));

/** Inverse of the cumulative frequency 1 / (rank + SHIFT). */
const randomWord = (random) => WORDS[Math.floor(SHIFT * ((VOCABULARY + SHIFT) / SHIFT) ** random()) - SHIFT];

const sentence = (random, length) => {
  const words = Array.from({ length }, () => randomWord(random));
  const text = words.map((word, at) => `${STOP_WORDS[(at + length) % STOP_WORDS.length]} ${word}`).join(' ');
  return `${text}${random() < 0.2 ? '?' : '.'}`;
};

/** Turns and questions of a made-up language with the frequencies of real words. */
const madeUp = () => ({
  turn: (random) => sentence(random, 3 + Math.floor(random() * 2 * (WORDS_PER_TURN - 3))),
  record: (random) => `User ${sentence(random, 4 + Math.floor(random() * 5))}`,
  question: (random) => `What did I say about ${sentence(random, 3 + Math.floor(random() * 3))}`,
});

/** Turns and questions of a file, over and over: every word is as frequent in 100,000 turns as in 600. */
const repeated = (conversations) => {
  const turns = conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
  const questions = conversations.flatMap((conversation) => conversation.questions);
  const pick = (list, random) => list[Math.floor(random() * list.length)];
  const said = (random) => pick(turns, random).event.payload.message;
  return {
    turn: said,
    record: (random) => `User ${said(random).slice(0, 80)}`,
    question: (random) => pick(questions, random).text,
  };
};

/** @param conversations of a file in LoCoMo's format, or undefined */
export const textsOf = (conversations) => (conversations === undefined ? madeUp() : repeated(conversations));
