import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A dedicated server that a test may kill, wipe and restart. It has its own data directory. */
export interface OwnServer {
  readonly url: string;
  readonly port: number;
  /** Starts it on the same port with the existing data. Resolves when it accepts connections. */
  start(): Promise<void>;
  /** SIGKILL: nothing is flushed. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open, but nothing answers until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Deletes the data. Kill the server first. */
  wipe(): Promise<void>;
  /** Kills it and deletes its directory. */
  dispose(): Promise<void>;
}

const ownServer = async (
  scheme: string,
  program: string,
  argumentsFor: (port: number, directory: string) => string[],
): Promise<OwnServer> => {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'turnkeeper-test-'));
  const data = join(directory, 'data');
  let child: ChildProcess | null = null;
  const server: OwnServer = {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    async start() {
      child = spawn(program, argumentsFor(port, data), { stdio: 'ignore', cwd: directory });
      const failed = once(child, 'error').then(([error]) => {
        throw new Error(`${program} does not start: is it installed?`, { cause: error });
      });
      await Promise.race([failed, accepting(port)]);
    },
    async kill() {
      if (child === null) return;
      const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await gone;
      child = null;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    wipe: () => rm(data, { recursive: true, force: true }),
    async dispose() {
      await server.kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return server;
};

/** A JetStream server. The program is `nats-server`, or the value of `TEST_NATS_SERVER`. */
export const ownNatsServer = (): Promise<OwnServer> =>
  ownServer('nats', process.env['TEST_NATS_SERVER'] ?? 'nats-server', (port, data) => [
    '--addr=127.0.0.1',
    `--port=${port}`,
    '--jetstream',
    `--store_dir=${data}`,
  ]);

/** A Redis server without persistence. The program is `redis-server`, or the value of `TEST_REDIS_SERVER`. */
export const ownRedisServer = (): Promise<OwnServer> =>
  ownServer('redis', process.env['TEST_REDIS_SERVER'] ?? 'redis-server', (port) => [
    ...['--bind', '127.0.0.1'],
    ...['--port', String(port)],
    ...['--save', ''],
    ...['--appendonly', 'no'],
    ...['--maxmemory-policy', 'noeviction'],
  ]);

/**
 * A free port on 127.0.0.1, below the ephemeral range. An outgoing connection could otherwise take the port while the
 * server is down, or a reconnecting client could even connect to itself.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
};

const accepting = async (port: number): Promise<void> => {
  for (const end = Date.now() + 10_000; ;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      socket.destroy();
    }
  }
};
