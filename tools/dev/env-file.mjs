import { existsSync, readFileSync } from 'node:fs';
import { writePrivately } from '../shared/json-file.mjs';

/** A single-quoted shell word, safe for any character. */
const quoted = (value) => `'${value.replaceAll("'", `'\\''`)}'`;

/**
 * Writes a file for scripts to source. It contains the API key and the database password, so only its owner can read
 * it.
 */
export const writeEnvFile = (file, values) => {
  const lines = Object.entries(values).map(([name, value]) => `export ${name}=${quoted(value)}`);
  writePrivately(file, `${lines.join('\n')}\n`);
};

/** The values of a file written by `writeEnvFile`; empty if it does not exist. */
export const readEnvFile = (file) => {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').matchAll(/^export (\w+)='(.*)'$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value.replaceAll(`'\\''`, "'")]));
};
