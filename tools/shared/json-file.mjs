import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The file's content; undefined if it does not exist or is not JSON (for example after a torn write). */
export const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Writes atomically, readable by the owner only. */
export const writePrivately = (file, text) => {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
};

export const writeJson = (file, value) => writePrivately(file, `${JSON.stringify(value, null, 2)}\n`);
