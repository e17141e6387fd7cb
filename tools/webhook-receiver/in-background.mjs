import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localSystem } from '../dev/state.mjs';
import { launch, untilAnswers } from '../shared/background.mjs';

/**
 * Starts the receiver as a separate process and waits until it listens. If one already listens on the port, it gets the
 * secrets as well, so that the commands can be repeated.
 *
 * @param {{ port: string, secret: string[], format: string, mode: string }} wanted
 * @returns {Promise<string>} what was done, in one line
 */
export const receiveInBackground = async ({ port, secret, format, mode }) => {
  const url = `http://127.0.0.1:${port}`;
  const running = await control(url, {});
  if (running) {
    for (const addSecret of secret) await control(url, { addSecret });
    return `A webhook receiver is running on ${url} already; it takes this secret as well.`;
  }
  if (running === false) throw new Error(`Port ${port} is in use by another program: choose another --port.`);
  const system = localSystem();
  const logFile = join(system.logs, 'webhook-receiver.log');
  const receiver = await launch({
    name: 'webhook-receiver',
    command: process.execPath,
    args: [fileURLToPath(new URL('main.mjs', import.meta.url)), '--port', port, '--format', format, '--mode', mode],
    // A process's environment is private to its owner; its arguments are public.
    env: { ...process.env, WEBHOOK_SECRET: '' },
    logFile,
    record: system.record,
  });
  await untilAnswers(receiver, () => control(url, {}), 15_000);
  for (const addSecret of secret) await control(url, { addSecret });
  return `Waiting for webhooks on ${url}. npm run stop ends it; its log is ${logFile}.`;
};

/** True if our receiver accepted the request; false if something else answers; undefined if nothing listens. */
const control = async (url, wish) => {
  try {
    const answer = await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(wish) });
    const body = await answer.json().catch(() => ({}));
    return body.receiver === 'turnkeeper';
  } catch (error) {
    return error.cause?.code === 'ECONNREFUSED' ? undefined : false;
  }
};
