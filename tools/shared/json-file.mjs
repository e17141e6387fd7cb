import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What the file holds; undefined when there is none or it is not JSON (a torn write is as good as none). */
export const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Writes for the owner's eyes only, and so that a reader sees the old content or the new, never half of it. */
export const writePrivately = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
};

export const writeJson = (file, value) => writePrivately(file, `${JSON.stringify(value, null, 2)}\n`);
