import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, untilAnswers } from '../shared/background.mjs';
import { firstWords } from '../shared/wait.mjs';

export const NATS_PROGRAMS = ['nats-server'];
export const NATS_PACKAGES = ['nats-server'];

export const natsUrl = (port) => `nats://127.0.0.1:${port}`;

/** @param {{ program: string, dir: string, port: number, logFile: string, record?: Function }} what */
export const startNats = async ({ program, dir, port, logFile, record }) => {
  const store = join(dir, 'nats');
  mkdirSync(store, { recursive: true });
  const args = ['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', store];
  const server = await launch({ name: 'nats', command: program, args, logFile, record, cwd: dir });
  await untilAnswers(server, () => speaksJetStream(port));
  return server;
};

/** The server greets every connection with a line of JSON about itself. */
const speaksJetStream = async (port) => /^INFO .*"jetstream":\s*true/.test((await firstWords(port)) ?? '');
