#!/usr/bin/env node
// How well inserted records are found by their own words and meaning, and what a score of 0.5 separates. Runs in this
// process, in seconds. Retrieval is not part of it: every record of a scope is scored.
//
//   node tools/quality/meaning.mjs [--words] [--sessions FILE]
//
// Build first: `npx nx run-many -t build -p extraction,search`.
import { parseArgs } from 'node:util';
import { answerScore } from '@turnkeeper/search';
import { rateOf, readScopes } from './meaning-data.mjs';

const FIRST = 3;
const STEPS = 10;

const { values } = parseArgs({ options: { words: { type: 'boolean', default: false }, sessions: { type: 'string' } } });
const questions = (await readScopes(!values.words, values.sessions)).map((question) => ({
  ...question,
  scores: question.evidence.map((one) =>
    answerScore(one, { likeness: one.likeness, compared: question.evidence.length }),
  ),
}));
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const percent = (some, all) => `${rateOf(some, all).toFixed(0)} %`;

row(['scope', 'half', 'question', 'first 3', 'first 10', '≥ 0.5', 'best', 'before a wrong one', 'a wrong one ≥ 0.5']);
row(['---', '---', '---', '--:', '--:', '--:', '--:', '--:', '--:']);
for (const kind of ['session', 'namespace'])
  for (const half of [0, 1])
    for (const asked of ['query', 'question', 'typos', 'other language', 'foreign']) {
      const some = questions.filter((one) => one.kind === kind && one.half === half && one.asked === asked);
      if (some.length === 0) continue;
      const count = (test) => percent(some.filter(test).length, some.length);
      const name = [kind, half === 0 ? 'tuned on' : 'other', asked];
      if (asked === 'foreign') {
        row([...name, '', '', count(({ scores }) => Math.max(...scores) >= 0.5), '', '', '']);
        continue;
      }
      const before = ({ scores, right }) => scores.filter((score, at) => at !== right && score >= scores[right]).length;
      const pairs = some.flatMap(({ scores, right }) =>
        scores.filter((_, at) => at !== right).map((score) => score < scores[right]),
      );
      row([
        ...name,
        ...[FIRST, 10, null, 1].map((most) =>
          most === null ? count(({ scores, right }) => scores[right] >= 0.5) : count((one) => before(one) < most),
        ),
        percent(pairs.filter(Boolean).length, pairs.length),
        count(({ scores, right }) => scores.some((score, at) => at !== right && score >= 0.5)),
      ]);
    }

// Reliability, on what was not tuned on: of the records with such a score, how many answer?
console.log('');
row(['score', 'records', 'that answer']);
row(['---', '--:', '--:']);
const scored = questions
  .filter(({ half, asked }) => half === 1 && ['query', 'question', 'foreign'].includes(asked))
  .flatMap(({ scores, right }) => scores.map((score, at) => ({ score, answers: at === right })));
for (let step = 0; step < STEPS; step += 1) {
  const inStep = scored.filter(({ score }) => Math.min(STEPS - 1, Math.floor(STEPS * score)) === step);
  const right = inStep.filter(({ answers }) => answers).length;
  row([
    `${step / STEPS}–${(step + 1) / STEPS}`,
    inStep.length,
    inStep.length === 0 ? '' : percent(right, inStep.length),
  ]);
}
