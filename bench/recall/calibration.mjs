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
 * @param {{ all?: any[], every?: number }} [options] `all`: where the other conversations come from, by default the
 *   same ones; `every`: only every n-th of their questions is asked
 */
export const calibration = async (conversations, searchOf, { all = conversations, every = 1 } = {}) => {
  let right = 0;
  let kept = 0;
  let foreign = 0;
  let answered = 0;
  for (const conversation of conversations) {
    const search = searchOf(conversation);
    for (const { text, evidence, category } of conversation.questions) {
      if (category === NOT_COUNTED) continue;
      for (const { ids, score } of (await search(text)).slice(0, 10)) {
        if (!ids.some((id) => evidence.includes(id))) continue;
        right += 1;
        if (score >= 0.5) kept += 1;
      }
    }
    const other = all[(all.indexOf(conversation) + 1) % all.length];
    if (other === conversation || other.names === undefined) continue;
    const asked = other.questions.filter(({ category }) => category !== NOT_COUNTED);
    for (const { text } of asked.filter((_, at) => at % every === 0)) {
      const swapped = other.names.reduce((of, name, at) => of.replaceAll(name, conversation.names[at]), text);
      foreign += 1;
      if ((await search(swapped)).some(({ score }) => score >= 0.5)) answered += 1;
    }
  }
  return { kept: (100 * kept) / Math.max(1, right), foreign: (100 * answered) / Math.max(1, foreign), asked: foreign };
};
