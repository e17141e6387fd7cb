import { tailOf } from '../shared/background.mjs';
import { line, say } from '../shared/steps.mjs';
import { sleep } from '../shared/wait.mjs';

const WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 5;

/**
 * Restarts a process whenever it exits, like an orchestrator, until `stopping` returns true. Rejects, with the end of
 * its log, if it exits repeatedly.
 *
 * @typedef {Pick<import('../shared/background.mjs').Launched, 'name' | 'logFile' | 'exited'>} Kept
 *
 * @param {Kept} launched
 * @param {() => Promise<Kept>} start
 * @param {() => boolean} stopping
 * @param {{ now?: () => number, pause?: (ms: number) => Promise<void> }} [time] for tests
 * @returns {Promise<void>} resolves when it has exited while stopping
 */
export const keepRunning = async (launched, start, stopping, { now = () => performance.now(), pause = sleep } = {}) => {
  const ends = [];
  for (let current = launched; ; current = await start()) {
    const how = await current.exited;
    if (stopping()) return;
    ends.push(now());
    if (ends.filter((moment) => moment > now() - WINDOW_MS).length > MAX_IN_WINDOW) {
      throw new Error(`${current.name} keeps exiting (${how}).\n${tailOf(current.logFile)}`);
    }
    say(line(current.name, `ended by ${how}: starting it again`));
    await pause(500);
    if (stopping()) return;
  }
};
