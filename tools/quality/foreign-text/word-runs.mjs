// Runs of words, as hashes: whether a file of this repository holds sentences of a data set, without holding any itself.
import { createHash } from 'node:crypto';

/** Words of one run. */
const RUN = 7;
/** Size of the list in bits; 512 KiB. */
const BITS = 512 * 1024 * 8;
/** Places in the list for one run: with 100,000 runs, one other run in a hundred million seems to be listed. */
const PLACES = 16;

const WORD = /[a-z0-9]+(?:'[a-z]+)?/g;

const runsOf = (text) => {
  const words = text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
  return Array.from({ length: Math.max(0, words.length - RUN + 1) }, (_, at) => words.slice(at, at + RUN).join(' '));
};

const placesOf = (run) => {
  const hash = createHash('sha256').update(run).digest();
  const [first, step] = [hash.readUInt32LE(0), hash.readUInt32LE(4) | 1];
  return Array.from({ length: PLACES }, (_, at) => (first + at * (step >>> 0)) % BITS);
};

/** A Bloom filter of the runs in texts. */
export const listOf = (texts) => {
  const list = Buffer.alloc(BITS / 8);
  for (const run of texts.flatMap(runsOf)) {
    for (const place of placesOf(run)) list[place >> 3] |= 1 << (place & 7);
  }
  return list;
};

const isListed = (list, run) => placesOf(run).every((place) => (list[place >> 3] & (1 << (place & 7))) !== 0);

/**
 * The lines of a text that share at least seven words in a row with the listed texts.
 *
 * @returns {number[]} numbers of the lines, from 1
 */
export const linesIn = (list, text) =>
  text.split('\n').flatMap((line, index) => (runsOf(line).some((run) => isListed(list, run)) ? [index + 1] : []));
