import { sleep } from '../shared/wait.mjs';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** No response, a server error, or "not now": the same request can succeed later. */
const isPassing = (error) =>
  error.name !== 'ApiError' || error.status >= 500 || error.status === 429 || error.status === 408;

/**
 * Retries transient failures, so that services can restart during the run.
 *
 * @template T
 * @param {() => Promise<T>} attempt idempotent
 * @param {{ forMs?: number, pause?: (ms: number) => Promise<void>, now?: () => number }} [options] two minutes
 * @returns {Promise<T>}
 */
export const patiently = async (attempt, { forMs = 120_000, pause = sleep, now = () => performance.now() } = {}) => {
  const deadline = now() + forMs;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error) || now() > deadline) throw error;
      await pause(wait);
    }
  }
};
