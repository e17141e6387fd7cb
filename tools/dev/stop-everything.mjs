import { stop } from '../shared/background.mjs';
import { isRunning } from '../shared/process-identity.mjs';
import { until } from '../shared/wait.mjs';
import { composeStop } from '../servers/compose.mjs';

/** Longer than a launcher needs if each of its processes uses its whole deadline. */
const LAUNCHER_DEADLINE_MS = 90_000;

/**
 * Stops every process in the state, newest first: the services before their servers.
 *
 * @param {import('./state.mjs').LocalSystem} system
 * @returns {Promise<string[]>} names of what was still running
 */
export const stopProcesses = async (system) => {
  const stopped = [];
  for (;;) {
    const { processes = [] } = system.read();
    const last = processes.at(-1);
    if (!last) break;
    if ((await stop(last)) !== 'gone') stopped.push(last.name);
    const remaining = (system.read().processes ?? []).filter(
      ({ pid, stamp }) => pid !== last.pid || stamp !== last.stamp,
    );
    system.change({ processes: remaining });
  }
  for (const service of system.read().containers ?? []) {
    await composeStop(system.folder, service);
    stopped.push(service);
  }
  system.change({ containers: [] });
  return stopped;
};

/**
 * Stops the launcher if it is running, then everything that a killed launcher left behind.
 *
 * @param {import('./state.mjs').LocalSystem} system
 * @returns {Promise<string[]>} names of what was stopped
 */
export const stopEverything = async (system) => {
  const { launcher, processes = [], containers = [] } = system.read();
  const before = [...processes.filter(isRunning).map(({ name }) => name), ...containers];
  if (launcher && isRunning(launcher)) {
    process.kill(launcher.pid, 'SIGTERM');
    await until('the launcher', () => !isRunning(launcher), { timeoutMs: LAUNCHER_DEADLINE_MS }).catch(() => {
      process.kill(launcher.pid, 'SIGKILL');
    });
  }
  const after = await stopProcesses(system);
  system.change({ launcher: undefined, ready: undefined });
  return [...new Set([...before, ...after])];
};
