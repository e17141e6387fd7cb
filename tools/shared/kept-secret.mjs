import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writePrivately } from './json-file.mjs';

/**
 * A random secret, made once and kept beside the data that it opens.
 *
 * @param {string} file
 * @param {{ bytes?: number, encoding?: BufferEncoding }} [form]
 */
export const keptSecret = (file, { bytes = 18, encoding = 'base64url' } = {}) => {
  if (!existsSync(file)) writePrivately(file, randomBytes(bytes).toString(encoding));
  return readFileSync(file, 'utf8');
};

/**
 * The setting that names the key of the secrets at rest: a file beside the data, made at the first start.
 *
 * @param {string} folder
 */
export const keptSecretsKey = (folder) => {
  const file = `${folder}/secrets-key`;
  keptSecret(file, { bytes: 32, encoding: 'base64' });
  return { SECRETS_KEY_FILE: file };
};
