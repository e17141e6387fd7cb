import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, untilAnswers } from '../shared/background.mjs';
import { writePrivately } from '../shared/json-file.mjs';
import { firstWords } from '../shared/wait.mjs';

export const REDIS_PROGRAMS = ['redis-server', 'valkey-server'];
export const REDIS_PACKAGES = ['redis-server', 'valkey-server'];

export const redisUrl = (port, password) => `redis://:${password}@127.0.0.1:${port}`;

/**
 * Redis or Valkey, which take the same arguments. A queue must not lose keys: no eviction, and every write goes to the
 * append-only file. Clients need the password.
 *
 * @param {{ program: string, dir: string, port: number, password: string, logFile: string, record?: import('../shared/background.mjs').Record }} what
 */
export const startRedis = async ({ program, dir, port, password, logFile, record }) => {
  const data = join(dir, 'redis');
  mkdirSync(data, { recursive: true });
  // In a file: every user of the machine can read a process's arguments.
  const config = join(dir, 'redis.conf');
  writePrivately(config, `requirepass "${password}"\n`);
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: data,
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
    save: '',
    daemonize: 'no',
  };
  const args = [config, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])];
  const server = await launch({ name: 'redis', command: program, args, logFile, record, cwd: dir });
  // It answers "LOADING" until it has read its file.
  const say = `AUTH ${password}\r\nPING\r\n`;
  await untilAnswers(server, async () => (await firstWords(port, { say, lines: 2 }))?.endsWith('+PONG\r\n'));
  return server;
};
