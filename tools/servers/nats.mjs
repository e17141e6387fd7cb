import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, untilAnswers } from '../shared/background.mjs';
import { writePrivately } from '../shared/json-file.mjs';
import { firstWords } from '../shared/wait.mjs';

export const NATS_PROGRAMS = ['nats-server'];
export const NATS_PACKAGES = ['nats-server'];

export const natsUrl = (port, password) => `nats://turnkeeper:${password}@127.0.0.1:${port}`;

/**
 * NATS with JetStream on a loopback port. Clients log in as `turnkeeper`.
 *
 * @param {{ program: string, dir: string, port: number, password: string, logFile: string, record?: import('../shared/background.mjs').Record }} what
 */
export const startNats = async ({ program, dir, port, password, logFile, record }) => {
  const store = join(dir, 'nats');
  mkdirSync(store, { recursive: true });
  // In a file: every user of the machine can read a process's arguments.
  const config = join(dir, 'nats.conf');
  writePrivately(config, `authorization { user: "turnkeeper", password: "${password}" }\n`);
  const address = ['--addr', '127.0.0.1', '--port', String(port)];
  const args = ['--config', config, ...address, '--jetstream', '--store_dir', store];
  const server = await launch({ name: 'nats', command: program, args, logFile, record, cwd: dir });
  await untilAnswers(server, () => speaksJetStream(port));
  return server;
};

/** The server sends a line of JSON about itself on every connection. */
const speaksJetStream = async (port) => /^INFO .*"jetstream":\s*true/.test((await firstWords(port)) ?? '');
