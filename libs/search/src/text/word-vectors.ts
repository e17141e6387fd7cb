import { readFileSync } from 'node:fs';
import { unitVector } from '../vectors/vector.js';
import { frequentWords } from './word-rarity.js';

/** Numbers per word. */
const DIMENSIONS = 100;
/** What a cosine of 1 is in the file's whole numbers. */
const WHOLE = 200 ** 2;

interface WordVectors {
  readonly rows: ReadonlyMap<string, number>;
  readonly vectors: Int8Array;
}
let english: WordVectors | undefined;

/** Made by `tools/quality/word-vectors.mjs`: one row for each of the frequent words, zeros for a word without a vector. */
const load = (): WordVectors => {
  const file = readFileSync(new URL('../../data/word-vectors.bin', import.meta.url));
  return {
    rows: new Map(frequentWords().map((word, row) => [word, row])),
    vectors: new Int8Array(file.buffer, file.byteOffset, file.byteLength),
  };
};

/** The number of an English word's vector; null for a word without one. Plurals that are not listed have their singular's. */
export const vectorOf = (word: string): number | null => {
  english ??= load();
  return english.rows.get(word) ?? (word.endsWith('s') ? english.rows.get(word.slice(0, -1)) : undefined) ?? null;
};

/** How near the meanings of two words are, 0–1: words that are used in the same contexts. */
export const nearness = (one: number, other: number): number => {
  english ??= load();
  const { vectors } = english;
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at += 1)
    sum += (vectors[one * DIMENSIONS + at] as number) * (vectors[other * DIMENSIONS + at] as number);
  return Math.min(1, Math.max(0, sum / WHOLE));
};

/** The direction of the weighted average of vectors. */
export const averageOf = (
  words: readonly { readonly vector: number | null; readonly rarity: number }[],
): Float32Array => {
  english ??= load();
  const sum = new Float32Array(DIMENSIONS);
  for (const { vector, rarity } of words) {
    if (vector === null) continue;
    for (let at = 0; at < DIMENSIONS; at += 1)
      sum[at] = (sum[at] as number) + rarity * (english.vectors[vector * DIMENSIONS + at] as number);
  }
  return unitVector(sum);
};
