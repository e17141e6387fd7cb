import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/**
 * Polls until the answer is truthy.
 *
 * @template T
 * @param {string} what is waited for, as the error names it
 * @param {() => T | Promise<T>} ask a rejection ends the wait at once
 * @param {{ timeoutMs?: number, everyMs?: number }} [pace] 30 s and 50 ms
 * @returns {Promise<NonNullable<T>>}
 */
export const until = async (what, ask, { timeoutMs = 30_000, everyMs = 50 } = {}) => {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: no answer within ${timeoutMs / 1000} s.`);
    await sleep(everyMs);
  }
};

/**
 * Opens a TCP connection to a loopback port, sends `say`, and resolves to the first lines received (or to what arrived
 * within a second, possibly ''); null if nothing listens there.
 *
 * @param {number} port
 * @param {{ say?: string, lines?: number, timeoutMs?: number }} [options] `lines` to wait for: 1 by default
 * @returns {Promise<string | null>}
 */
export const firstWords = (port, { say, lines = 1, timeoutMs = 1000 } = {}) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let heard = '';
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => done(socket.connecting ? null : heard));
    socket.once('connect', () => say && socket.write(say));
    socket.on('data', (data) => {
      heard += data.toString('utf8');
      if (heard.split('\n').length > lines) done(heard);
    });
    socket.once('error', () => done(null));
    socket.once('close', () => done(heard));
  });

/** Whether the address accepts a TCP connection. */
export const listens = (port, host = '127.0.0.1', timeoutMs = 3000) =>
  new Promise((resolve) => {
    const socket = connect({ port, host });
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => done(false));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
