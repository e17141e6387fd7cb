import { NOT_COUNTED } from './formats.mjs';

/**
 * What a score of 0.5 separates: how many correct hits among the first ten reach it, and how many questions of another
 * conversation, with this one's speaker names, get any hit that reaches it. Some of those questions have an answer by
 * chance.
 *
 * @typedef {{ ids: string[], score: number }[]} Hits
 *
 * @param {any[]} conversations
 * @param {(conversation: any) => (query: string) => Hits | Promise<Hits>} searchOf
 * @param {Parameters<typeof scoresOf>[2]} [options] `all`: where the other conversations come from, by default the
 *   same ones; `every`: only every n-th of their questions is asked
 */
export const calibration = async (conversations, searchOf, options) =>
  separated(await scoresOf(conversations, searchOf, options));

/** What 0.5 separates among scores of `scoresOf`, in percent, and the number of foreign questions. */
export const separated = ({ right, foreign }) => ({
  kept: shareFrom(right, 0.5),
  foreign: shareFrom(foreign, 0.5),
  asked: foreign.length,
});

/**
 * The scores behind that: of the correct hits among the first ten, and the best of each foreign question (0 without a
 * hit).
 *
 * @param {any[]} conversations
 * @param {(conversation: any) => (query: string) => Hits | Promise<Hits>} searchOf
 * @param {{ all?: any[], every?: number, otherOf?: (conversation: any) => any }} [options] `otherOf`: the conversation whose
 *   questions are foreign, by default the next one
 */
export const scoresOf = async (conversations, searchOf, options = {}) => {
  const { all = conversations, every = 1 } = options;
  const { otherOf = (conversation) => all[(all.indexOf(conversation) + 1) % all.length] } = options;
  /** @type {number[]} */
  const right = [];
  /** @type {number[]} */
  const foreign = [];
  for (const conversation of conversations) {
    const search = searchOf(conversation);
    for (const { text, evidence, category } of conversation.questions) {
      if (category === NOT_COUNTED) continue;
      for (const { ids, score } of (await search(text)).slice(0, 10)) {
        if (ids.some((id) => evidence.includes(id))) right.push(score);
      }
    }
    const other = otherOf(conversation);
    if (other === conversation || other.names === undefined) continue;
    const asked = other.questions.filter(({ category }) => category !== NOT_COUNTED);
    for (const { text } of asked.filter((_, at) => at % every === 0)) {
      const swapped = other.names.reduce((of, name, at) => of.replaceAll(name, conversation.names[at]), text);
      foreign.push(Math.max(0, ...(await search(swapped)).map(({ score }) => score)));
    }
  }
  return { right, foreign };
};

/** How many percent of the scores reach a threshold. */
const shareFrom = (scores, threshold) =>
  (100 * scores.filter((score) => score >= threshold).length) / Math.max(1, scores.length);

/** How many percent of the correct hits stay at the threshold that lets `percent` of the foreign questions pass. */
export const keptWhilePassing = ({ right, foreign }, percent) => {
  const passing = [...foreign].sort((a, b) => b - a)[Math.floor((percent / 100) * foreign.length)] ?? 0;
  return shareFrom(right, passing + Number.EPSILON);
};
