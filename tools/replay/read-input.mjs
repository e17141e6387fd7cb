import { readFileSync } from 'node:fs';
import { exactJson } from './exact-json.mjs';
import { EXAMPLE_LINE, jsonlSessions } from './jsonl.mjs';
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
  throw new Error(
    `The file is a JSON array, but not of LoCoMo conversations. Write each turn on a line of its own, for example:\n${EXAMPLE_LINE}\ndocs/replay.md describes both formats.`,
  );
};
