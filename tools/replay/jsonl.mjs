import { exactJson } from './exact-json.mjs';

/** Our own format: one turn per line, in spoken order. See `docs/replay.md`. */

const TEXTS = ['actorId', 'sessionId', 'role', 'message'];
/** Told with every error, for those who have chats in another format. */
export const EXAMPLE_LINE = '{"actorId": "linh", "sessionId": "call-1", "role": "user", "message": "I moved to Hue."}';
const FIELDS = new Set([...TEXTS, 'eventTimestamp', 'metadata']);

/**
 * @param {string} text
 * @returns {import('./locomo.mjs').Session[]} in the order of their first turns
 */
export const jsonlSessions = (text) => {
  const sessions = new Map();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { actorId, sessionId, role, message, ...rest } = parseLine(line, index + 1);
    const key = JSON.stringify([actorId, sessionId]);
    if (!sessions.has(key)) sessions.set(key, { actorId, sessionId, turns: [] });
    sessions.get(key).turns.push({ payload: { type: 'CONVERSATIONAL', role, message }, ...rest });
  }
  return [...sessions.values()];
};

const parseLine = (line, number) => {
  const refuse = (why) => {
    throw new Error(`Line ${number}: ${why}\nA line is one turn, for example:\n${EXAMPLE_LINE}`);
  };
  let turn;
  try {
    turn = exactJson.parse(line);
  } catch {
    return refuse('not JSON.');
  }
  if (turn === null || typeof turn !== 'object' || Array.isArray(turn)) return refuse('must be an object.');
  for (const name of TEXTS) if (typeof turn[name] !== 'string') refuse(`${name} must be text.`);
  for (const name of Object.keys(turn)) if (!FIELDS.has(name)) refuse(`${name} is not a field of this format.`);
  return turn;
};
