import { existsSync, readFileSync } from 'node:fs';
import { writePrivately } from '../shared/json-file.mjs';

/** A shell's single-quoted word, safe for any character. */
export const quoted = (value) => `'${value.replaceAll("'", `'\\''`)}'`;

/** Writes a file for scripts to source. It holds the API key and the database's password: only its owner may read it. */
export const writeEnvFile = (file, values) => {
  const lines = Object.entries(values).map(([name, value]) => `export ${name}=${quoted(value)}`);
  writePrivately(file, `${lines.join('\n')}\n`);
};

/** The values of a file that `writeEnvFile` wrote; none when it is not there. */
export const readEnvFile = (file) => {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').matchAll(/^export (\w+)='(.*)'$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value.replaceAll(`'\\''`, "'")]));
};
