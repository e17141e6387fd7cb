#!/usr/bin/env node
// Writes the list of word runs that must not be in this repository.
//
//   node tools/quality/foreign-text/write-list.mjs FILE …
//
// FILE is a data set as JSON; all strings in it count. Only hashes are written.
import { readFileSync, writeFileSync } from 'node:fs';
import { listOf } from './word-runs.mjs';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node tools/quality/foreign-text/write-list.mjs FILE …');
  process.exit(2);
}

const stringsIn = (value) => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];
};

const texts = files.flatMap((file) => stringsIn(JSON.parse(readFileSync(file, 'utf8'))));
writeFileSync(new URL('word-runs.bin', import.meta.url), listOf(texts));
