import { readFileSync } from 'node:fs';
import { exactJson } from './exact-json.mjs';
import { jsonlSessions } from './jsonl.mjs';
import { isLocomo, locomoSessions } from './locomo.mjs';

/**
 * Reads a file of conversations in either format.
 *
 * @param {string} file
 * @returns {import('./locomo.mjs').Session[]}
 */
export const readConversations = (file) => {
  const text = readFileSync(file, 'utf8');
  const sessions = toSessions(text);
  if (sessions.length === 0) throw new Error(`${file} holds no turn.`);
  return sessions;
};

const toSessions = (text) => {
  if (!text.trimStart().startsWith('[')) return jsonlSessions(text);
  const data = exactJson.parse(text);
  if (isLocomo(data)) return locomoSessions(data);
  throw new Error('The file is a JSON array, but not of LoCoMo conversations. docs/replay.md describes both formats.');
};
