#!/usr/bin/env node
// Fits the weights of a record's score (libs/search/data/answer-weights.json) to the tuning half of tools/quality/meaning:
// a logistic model of "this record answers this question", then the sum that maps to 0.5 so that so few
// foreign questions has a record above it, in scopes of six and of 30 records.
//
//   node tools/quality/fit-scores.mjs
//
// Build first: `npx nx run-many -t build -p extraction,search`. `node tools/quality/meaning.mjs` reports the other half.
import { writeFileSync } from 'node:fs';
import { signalsOf } from '@turnkeeper/search';
import { readScopes } from './meaning-data.mjs';

const FOREIGN = 0.035;
const ROUNDS = 4_000;
const STEP = 0.5;
const INERTIA = 0.9;
const DECAY = 0.01;
const SIZE_STEP = 0.02;
const MARGIN = 0.1;
/** A right record counts this much more than a wrong one of its session, of which there are five. */
const RIGHT = 3;
/** What words say is known without examples, which are about meaning. */
const LEAST = { share: 1.2, matched: 0.6, close: 12 };
const MOST = { close: 12 };
const FEWER = ['offTopic', 'asksTopics'];
const SIGNALS = {
  words: [
    ...['share', 'matched', 'covered', 'near', 'nearest', 'nearCovered', 'alike'],
    ...['topics', 'topicsAlike', 'offTopic', 'asksTopics'],
  ],
};
SIGNALS.vectors = [...SIGNALS.words, 'likeness', 'close'];

/** Weights by gradient descent; none has a sign that contradicts what its signal means. */
const fitted = (examples, names) => {
  const spread = names.map((name) => {
    const mean = examples.reduce((sum, { signals }) => sum + signals[name], 0) / examples.length;
    return (
      Math.sqrt(examples.reduce((sum, { signals }) => sum + (signals[name] - mean) ** 2, 0) / examples.length) || 1
    );
  });
  const rows = examples.map(({ signals }) => names.map((name, at) => signals[name] / spread[at]));
  const all = examples.reduce((sum, { weight }) => sum + weight, 0);
  const weights = names.map(() => 0);
  const moves = names.map(() => 0);
  let [always, move] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const slopes = weights.map((weight) => DECAY * weight);
    let slope = 0;
    rows.forEach((row, index) => {
      const { answers, weight } = examples[index];
      const sum = row.reduce((before, value, at) => before + value * weights[at], always);
      const error = ((1 / (1 + Math.exp(-sum)) - answers) * weight) / all;
      row.forEach((value, at) => (slopes[at] += error * value));
      slope += error;
    });
    slopes.forEach((one, at) => {
      moves[at] = INERTIA * moves[at] - STEP * one;
      const next = weights[at] + moves[at];
      weights[at] = FEWER.includes(names[at])
        ? Math.min(0, next)
        : Math.min((MOST[names[at]] ?? Infinity) * spread[at], Math.max((LEAST[names[at]] ?? 0) * spread[at], next));
    });
    move = INERTIA * move - STEP * slope;
    always += move;
  }
  return Object.fromEntries(names.map((name, at) => [name, weights[at] / spread[at]]));
};

const sumOf = (weights, signals) =>
  Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * signals[name], 0);

/** The sum that only so many foreign questions exceed. */
const even = (weights, foreign) => {
  const best = foreign
    .map(({ records }) => Math.max(...records.map((signals) => sumOf(weights, signals))))
    .toSorted((a, b) => b - a);
  const place = Math.floor(FOREIGN * best.length);
  return best[place] + MARGIN;
};

const round = (value) => Math.round(100 * value) / 100;
const result = {};
for (const mode of ['words', 'vectors']) {
  const questions = (await readScopes(mode === 'vectors'))
    .filter(({ half, asked }) => half === 0 && ['query', 'question', 'typos', 'foreign'].includes(asked))
    .map(({ kind, right, evidence }) => ({
      ...{ kind, right },
      records: evidence.map((one) => signalsOf(one, { likeness: one.likeness, compared: evidence.length })),
    }));
  const examples = questions.flatMap(({ right, records }) =>
    records.map((signals, at) => ({
      ...{ signals, answers: at === right ? 1 : 0 },
      weight: at === right ? RIGHT : 6 / records.length,
    })),
  );
  const weights = fitted(examples, SIGNALS[mode]);
  const foreign = (kind) => questions.filter((question) => question.kind === kind && question.right === null);
  weights.always = -even(weights, foreign('session'));
  weights.size = 0;
  while (even(weights, foreign('namespace')) > 0) weights.size -= SIZE_STEP;
  result[mode] = weights;
  for (const name of Object.keys(result[mode])) result[mode][name] = round(result[mode][name]);
}
const file = new URL('../../libs/search/data/answer-weights.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
console.log(result);
