import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writePrivately } from './json-file.mjs';

/**
 * A random secret, generated once and stored next to the data it protects.
 *
 * @param {string} file
 * @param {{ bytes?: number, encoding?: BufferEncoding }} [form]
 */
export const keptSecret = (file, { bytes = 18, encoding = 'base64url' } = {}) => {
  if (!existsSync(file)) writePrivately(file, randomBytes(bytes).toString(encoding));
  return readFileSync(file, 'utf8');
};

/**
 * The setting for the key of secrets at rest: a file next to the data, created on first start.
 *
 * @param {string} folder
 */
export const keptSecretsKey = (folder) => {
  const file = `${folder}/secrets-key`;
  keptSecret(file, { bytes: 32, encoding: 'base64' });
  return { SECRETS_KEY_FILE: file };
};
