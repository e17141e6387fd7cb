#!/usr/bin/env node
// How well inserted records are found by their meaning and what a score of 0.5 separates: invented records, each with a
// query as an agent writes it, a paraphrase, misspelt words and a question in another language. Runs in this process, in
// seconds. Retrieval by words is not part of it: every record of the namespace is scored.
//
//   node tools/quality/meaning.mjs [--words]
//
// Odd lines of tools/quality/meaning were used for tuning, even ones are only reported. Build first:
// `npx nx run-many -t build -p extraction,search`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createEmbedders } from '@turnkeeper/extraction/embeddings';
import {
  answerReader,
  answerScore,
  embeddedQuestion,
  embeddedRecord,
  packVector,
  unitVector,
} from '@turnkeeper/search';

const { words: onlyWords } = parseArgs({ options: { words: { type: 'boolean', default: false } } }).values;
const KINDS = ['query', 'paraphrase', 'typos', 'other language'];
const SUBJECTS = ['user', 'assistant', 'customer'];
const BATCH = 32;
const FIRST = 3;

const linesOf = (name) =>
  readFileSync(new URL(`meaning/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
const records = linesOf('records.txt').map((line, index) => {
  const [text = '', ...asked] = line.split('|').map((part) => part.trim());
  return { text, asked, half: index % 2 };
});
const foreign = linesOf('foreign.txt').map((text, index) => ({ text, half: index % 2 }));

const embedders = onlyWords ? undefined : createEmbedders({ mode: 'local', dimensions: 0 });
const embed = async (texts) => {
  const vectors = [];
  for (let from = 0; from < texts.length && embedders !== undefined; from += BATCH)
    vectors.push(...(await embedders.current.embed(texts.slice(from, from + BATCH), AbortSignal.timeout(60_000))));
  return vectors.map((vector) => unitVector(packVector(vector)));
};
const dot = (a, b) => a.reduce((sum, part, at) => sum + part * b[at], 0);

/** Scores of the records for a question. */
const scoresOf = (question, vector, among, vectors) => {
  const read = answerReader(question, SUBJECTS);
  const likeness = vectors.map((one) => dot(one, vector));
  const best = Math.max(0, ...likeness);
  return among.map(({ text }, at) =>
    answerScore(
      read({ said: [text], asked: [] }),
      onlyWords ? null : { likeness: likeness[at], best, compared: among.length },
    ),
  );
};

const percent = (some, all) => `${((100 * some) / Math.max(1, all)).toFixed(0)} %`;
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);

row(['half', 'records', 'question', 'first 3', 'first 10', '≥ 0.5', 'above every wrong record']);
row(['---', '--:', '---', '--:', '--:', '--:', '--:']);
for (const half of [0, 1]) {
  const name = half === 0 ? 'tuned on' : 'others';
  const among = records.filter((record) => record.half === half);
  const vectors = await embed(among.map(({ text }) => embeddedRecord(text)));
  for (const [kind, of] of KINDS.entries()) {
    const asked = among.map((record) => record.asked[kind]);
    const questions = await embed(asked.map((text) => embeddedQuestion(text, [])));
    const places = asked.map((text, at) => {
      const scores = scoresOf(text, questions[at], among, vectors);
      const own = scores[at];
      return { own, before: scores.filter((score, other) => other !== at && score >= own).length };
    });
    const count = (test) => percent(places.filter(test).length, places.length);
    row([
      ...[name, among.length, of],
      ...[FIRST, 10].map((most) => count(({ before }) => before < most)),
      count(({ own }) => own >= 0.5),
      count(({ before }) => before === 0),
    ]);
  }
  const theirs = foreign.filter((question) => question.half === half);
  const others = records.filter((record) => record.half !== half);
  const about = [
    { of: 'foreign', texts: theirs.map(({ text }) => text) },
    { of: "paraphrase of the other half's", texts: others.map(({ asked }) => asked[1]) },
  ];
  for (const { of, texts } of about) {
    const questions = await embed(texts.map((text) => embeddedQuestion(text, [])));
    const passing = texts.filter((text, at) => Math.max(...scoresOf(text, questions[at], among, vectors)) >= 0.5);
    row([name, among.length, of, '', '', percent(passing.length, texts.length), '']);
  }
}
await embedders?.close();
