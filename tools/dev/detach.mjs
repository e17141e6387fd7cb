import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../shared/background.mjs';
import { sleep } from '../shared/wait.mjs';

/** Tells the launcher that it has no terminal, so a Ctrl-C cannot reach it. */
export const DETACHED = 'TURNKEEPER_DETACHED';

/**
 * Starts the launcher in the background, shows its output until the system is ready, and leaves it running.
 *
 * @param {import('./state.mjs').LocalSystem} system
 * @returns {Promise<number>} the exit code
 */
export const startDetached = async (system) => {
  const logFile = join(system.logs, 'start.log');
  const launcher = await launch({
    name: 'launcher',
    command: process.execPath,
    args: [fileURLToPath(new URL('start.mjs', import.meta.url))],
    env: { ...process.env, [DETACHED]: 'true' },
    logFile,
  });
  let ended;
  void launcher.exited.then((how) => (ended = how));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.kill(launcher.pid, 'SIGTERM'));
  const isReady = () => {
    const { launcher: running, ready } = system.read();
    return ready === true && running?.pid === launcher.pid;
  };
  for (let shown = 0; ; await sleep(100)) {
    const over = ended !== undefined || isReady();
    shown = copyFrom(logFile, shown);
    if (over) return ended === undefined ? 0 : 1;
  }
};

/** Prints the file from an offset on, and returns the new offset. */
const copyFrom = (file, offset) => {
  const size = existsSync(file) ? statSync(file).size : 0;
  if (size <= offset) return offset;
  const text = Buffer.alloc(size - offset);
  const handle = openSync(file, 'r');
  const read = readSync(handle, text, 0, text.length, offset);
  closeSync(handle);
  process.stdout.write(text.subarray(0, read));
  return offset + read;
};
