import { randomUUID } from 'node:crypto';

/** A user's utterance of ordinary length: 300 bytes of body. */
const message =
  'Hi there! I was thinking about that trip we talked about in spring: my sister can come along now, but only for the ' +
  'second week, because she starts her new job at the hospital on the first. Could you look whether the small "Hotel ' +
  'am See" still has two rooms?';

/** Sessions differ in content, and every other turn is the agent's. */
const event = (session, turn, detail) => ({
  payload: {
    type: 'CONVERSATIONAL',
    role: turn % 2 === 0 ? 'user' : 'assistant',
    message: `${message} (${detail ?? session})`,
  },
});

/** For the session with this number: half of them contain user turns, half agent turns. */
export const singleBody = (session) => JSON.stringify(event(session, session));

export const BATCH = 100;
export const batchBody = (session) => {
  const events = Array.from({ length: BATCH }, (_, turn) => event(session, turn, `${session}, ${turn}`));
  return JSON.stringify({ events });
};

/** The row of one event in the log, as COPY writes it. */
export const storedData = JSON.stringify({ payloadType: 'CONVERSATIONAL', role: 'user', content: message });

/** Sessions per connection. */
const SESSIONS = 20;

/** Paths of new sessions, the same number per connection. */
export const newPaths = (memoryId, connections) => {
  const run = randomUUID().slice(0, 8);
  return Array.from(
    { length: connections * SESSIONS },
    (_, index) => `/memory/memories/${memoryId}/actors/actor-${run}/sessions/session-${index}/events`,
  );
};
