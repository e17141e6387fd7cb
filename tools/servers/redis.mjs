import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, untilAnswers } from '../shared/background.mjs';
import { firstWords } from '../shared/wait.mjs';

export const REDIS_PROGRAMS = ['redis-server', 'valkey-server'];
export const REDIS_PACKAGES = ['redis-server', 'valkey-server'];

export const redisUrl = (port) => `redis://127.0.0.1:${port}`;

/**
 * Redis or Valkey, which take the same arguments. A queue must not lose keys: nothing is evicted, and every write goes
 * to the append-only file.
 *
 * @param {{ program: string, dir: string, port: number, logFile: string, record?: Function }} what
 */
export const startRedis = async ({ program, dir, port, logFile, record }) => {
  const data = join(dir, 'redis');
  mkdirSync(data, { recursive: true });
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: data,
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
    save: '',
    daemonize: 'no',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = await launch({ name: 'redis', command: program, args, logFile, record, cwd: dir });
  // Until it has read its file it answers "LOADING".
  await untilAnswers(server, async () => (await firstWords(port, { say: 'PING\r\n' }))?.startsWith('+PONG'));
  return server;
};
