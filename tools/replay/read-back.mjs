import { allEvents } from '../shared/api.mjs';
import { compareSession } from './compare.mjs';
import { patiently } from './patience.mjs';
import { eventsPath, inParallel } from './send.mjs';

const PARALLEL_SESSIONS = 8;

/** Every event of a session, oldest first. */
const readSession = (api, memoryId, session) =>
  allEvents({ get: (place) => patiently(() => api.get(place)) }, eventsPath(memoryId, session));

/**
 * Reads everything back and compares it with what was sent.
 *
 * @returns {Promise<{ equal: number, different: string[] }>} turns that came back equal; a line for each difference
 */
export const compareAll = async (api, memoryId, sessions) => {
  const total = { equal: 0, different: /** @type {string[]} */ ([]) };
  await inParallel(sessions, PARALLEL_SESSIONS, async (session) => {
    const { equal, different } = compareSession(session, await readSession(api, memoryId, session));
    total.equal += equal;
    total.different.push(...different);
  });
  return total;
};
