import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localSystem } from '../dev/state.mjs';
import { launch, untilAnswers } from '../shared/background.mjs';

/**
 * Starts the receiver as a process of its own and waits until it listens. Where one listens on the port already, that one
 * is given the secrets as well, so that the same commands work twice.
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
    // The environment of a process is its owner's; its arguments are everybody's.
    env: { ...process.env, WEBHOOK_SECRET: '' },
    logFile,
    record: system.record,
  });
  await untilAnswers(receiver, () => control(url, {}), 15_000);
  for (const addSecret of secret) await control(url, { addSecret });
  return `Waiting for webhooks on ${url}. npm run stop ends it; its log is ${logFile}.`;
};

/** True where a receiver of ours took the wish; false where something else answers; undefined where nothing does. */
const control = async (url, wish) => {
  try {
    const answer = await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(wish) });
    const body = await answer.json().catch(() => ({}));
    return body.receiver === 'turnkeeper';
  } catch (error) {
    return error.cause?.code === 'ECONNREFUSED' ? undefined : false;
  }
};
