import { NOT_COUNTED } from './formats.mjs';

const DEPTHS = [5, 10, 25, 50];

/**
 * Metrics of a ranking for one question.
 *
 * @param {readonly string[]} evidence
 * @param {readonly (readonly string[])[]} ranked turn ids per rank; a record can stand for several
 */
export const judge = (evidence, ranked) => {
  const wanted = new Set(evidence);
  const foundAt = new Map();
  ranked.forEach((ids, place) => {
    for (const id of ids) if (wanted.has(id) && !foundAt.has(id)) foundAt.set(id, place);
  });
  const places = [...foundAt.values()];
  const recall = Object.fromEntries(
    DEPTHS.map((depth) => [`R@${depth}`, places.filter((place) => place < depth).length / wanted.size]),
  );
  const first = places.length === 0 ? Infinity : Math.min(...places);
  const gain = (place) => 1 / Math.log2(place + 2);
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const best = sum(Array.from({ length: Math.min(10, wanted.size) }, (_, place) => gain(place)));
  return {
    ...recall,
    MRR: first === Infinity ? 0 : 1 / (first + 1),
    'nDCG@10': Math.min(1, sum(places.filter((place) => place < 10).map(gain)) / best),
    'any@10': first < 10 ? 1 : 0,
    'all@10': recall['R@10'] === 1 ? 1 : 0,
  };
};

/**
 * Averages per category and over all but the adversarial ones, in per cent.
 *
 * @param {readonly { category: string, verdict: Record<string, number> }[]} judged
 */
export const summary = (judged) => {
  /** @returns {Record<string, number>} empty for no questions */
  const mean = (list) =>
    Object.fromEntries(
      Object.keys(list[0]?.verdict ?? {}).map((name) => [
        name,
        (100 * list.reduce((total, { verdict }) => total + verdict[name], 0)) / list.length,
      ]),
    );
  const counted = judged.filter(({ category }) => category !== NOT_COUNTED);
  const categories = [...new Set(judged.map(({ category }) => category))].sort();
  return {
    all: mean(counted),
    questions: counted.length,
    byCategory: Object.fromEntries(
      categories.map((category) => {
        const list = judged.filter((one) => one.category === category);
        return [category, { questions: list.length, ...mean(list) }];
      }),
    ),
  };
};
