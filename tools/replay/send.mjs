import { createHash } from 'node:crypto';
import { path } from '../shared/api.mjs';
import { exactJson } from './exact-json.mjs';
import { patiently } from './patience.mjs';

/** Sessions sent concurrently; batches of one session are sent in order. */
const PARALLEL_SESSIONS = 8;

export const eventsPath = (memoryId, { actorId, sessionId }) =>
  path`/memory/memories/${memoryId}/actors/${actorId}/sessions/${sessionId}/events`;

/**
 * The same batch of the same session has the same key, so a batch whose response was lost, or an interrupted replay,
 * can be sent again without duplicates.
 */
export const idempotencyKeyOf = (first, batch) =>
  `replay-${createHash('sha256')
    .update(exactJson.stringify([first, batch]))
    .digest('hex')
    .slice(0, 40)}`;

/**
 * Sends every turn, and waits until each is acknowledged.
 *
 * @param {ReturnType<typeof import('../shared/api.mjs').apiClient>} api
 * @param {string} memoryId
 * @param {readonly import('./locomo.mjs').Session[]} sessions
 * @param {{ batchSize: number, onAcknowledged: (count: number) => void }} options
 */
export const sendSessions = (api, memoryId, sessions, { batchSize, onAcknowledged }) =>
  inParallel(sessions, PARALLEL_SESSIONS, async (session) => {
    for (let first = 0; first < session.turns.length; first += batchSize) {
      const events = session.turns.slice(first, first + batchSize);
      const headers = { 'idempotency-key': idempotencyKeyOf(first, events) };
      const answer = await patiently(() => api.post(eventsPath(memoryId, session), { events }, headers));
      onAcknowledged(answer.events.length);
    }
  });

/** Runs the work for every item, a few at a time. The first failure stops it. */
export const inParallel = async (items, width, work) => {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
};
