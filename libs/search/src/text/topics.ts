import { readFileSync } from 'node:fs';
import { stemOf } from './tokenise.js';
import { familyOf } from './word-families.js';

/** Topics of words, by their family. */
interface Topics {
  readonly said: ReadonlyMap<string, ReadonlySet<number>>;
  readonly asked: ReadonlyMap<string, ReadonlySet<number>>;
}
let english: Topics | undefined;

const load = (): Topics => {
  const said = new Map<string, Set<number>>();
  const asked = new Map<string, Set<number>>();
  const lines = readFileSync(new URL('../../data/topics.txt', import.meta.url), 'utf8').split('\n');
  for (const [topic, line] of lines.filter((one) => /^[a-z]+: /u.test(one)).entries()) {
    for (const word of line.slice(line.indexOf(' ') + 1).split(' ')) {
      for (const [list, isMeant] of [
        [said, !word.startsWith('?')],
        [asked, true],
      ] as const) {
        if (!isMeant) continue;
        const family = familyOf(stemOf(word.replace('?', ''), 'en')).name;
        list.set(family, (list.get(family) ?? new Set()).add(topic));
      }
    }
  }
  return { said, asked };
};

/** The topics of a word of a question or of a text, by its family. */
export const topicsOf = (family: string, isQuestion: boolean): ReadonlySet<number> => {
  english ??= load();
  return (isQuestion ? english.asked : english.said).get(family) ?? NONE;
};
const NONE: ReadonlySet<number> = new Set();

/** How much a text has to do with each topic, 0–1: a word of several topics says less about each. */
export type TopicWeights = ReadonlyMap<number, number>;

/** @param words topics of each word */
export const topicWeights = (words: readonly ReadonlySet<number>[]): TopicWeights => {
  const weights = new Map<number, number>();
  for (const topics of words)
    for (const topic of topics) weights.set(topic, Math.max(weights.get(topic) ?? 0, 1 / Math.sqrt(topics.size)));
  return weights;
};

/** Cosine of two texts' topics. */
export const topicsAlike = (one: TopicWeights, other: TopicWeights): number => {
  let common = 0;
  for (const [topic, weight] of one) common += weight * Math.min(weight, other.get(topic) ?? 0);
  return common === 0 ? 0 : common / (lengthOf(one) * lengthOf(other));
};
const lengthOf = (weights: TopicWeights): number =>
  Math.sqrt([...weights.values()].reduce((sum, weight) => sum + weight ** 2, 0));
