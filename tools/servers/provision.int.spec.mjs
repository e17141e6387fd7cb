import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { connect } from 'nats';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stop } from '../shared/background.mjs';
import { isRunning } from '../shared/process-identity.mjs';
import { postgresOwner } from './postgres-owner.mjs';
import { provisionServers } from './provision.mjs';

describe('the private servers', () => {
  let dir;
  let processes;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'tk-servers-'));
    processes = [];
  });
  afterEach(async () => {
    for (const running of processes.reverse()) await stop(running);
    rmSync(dir, { recursive: true, force: true });
  });

  /** Other suites choose ports below these, so none of them takes one while its server is down. */
  const lowest = randomInt(30_001, 32_000);
  const OWN_PORTS = { postgres: lowest, nats: lowest + 1, redis: lowest + 2 };

  const provision = (ports, more = {}) =>
    provisionServers({
      dir,
      logs: join(dir, 'logs'),
      given: {},
      database: 'turnkeeper',
      ports,
      durable: false,
      redisRequired: true,
      record: (running) => processes.push(running),
      ...more,
    });
  const query = async (url, sql) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

  it.each(['hello', 'https://localhost', 'postgres://'])('do not start when a URL is %s', async (database) => {
    await expect(provision(OWN_PORTS, { given: { database } })).rejects.toThrow(/^DATABASE_URL must be a URL such as/);
    expect(processes).toEqual([]);
  });

  it('do not start before everything else is in order', async () => {
    const located = async () => {
      throw new Error('These settings cannot be used');
    };
    await expect(provision(OWN_PORTS, { located })).rejects.toThrow('These settings cannot be used');
    expect(processes).toEqual([]);
  });

  it('accept data, keep it after a crash, and come back on their ports', async () => {
    const first = await provision(OWN_PORTS);
    await query(first.postgres.url, 'create table kept as select 7 as value');
    const { host, username, password } = new URL(first.nats.url);
    const nats = await connect({ servers: host, user: username, pass: password });
    expect(nats.info?.jetstream).toBe(true);
    await nats.close();
    await expect(connect({ servers: host, reconnect: false })).rejects.toThrow(/Authorization Violation/i);
    const redis = new Redis(first.redis.url);
    expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    await redis.quit();
    const stranger = new Redis(first.ports.redis, { lazyConnect: true, retryStrategy: () => null });
    stranger.on('error', () => undefined);
    await expect(stranger.ping()).rejects.toThrow(/NOAUTH/);
    stranger.disconnect();
    for (const file of ['postgres-password', 'nats-password', 'redis-password', 'nats.conf', 'redis.conf']) {
      expect(statSync(join(dir, file)).mode & 0o077, file).toBe(0);
    }

    const killed = processes.splice(0);
    for (const { pid } of killed) process.kill(pid, 'SIGKILL');
    // A killed process holds its port until it has exited.
    await vi.waitUntil(() => !killed.some(isRunning), { timeout: 30_000 });
    const again = await provision(first.ports);
    expect(again.ports).toEqual(first.ports);
    expect(await query(again.postgres.url, 'select value from kept')).toEqual([{ value: 7 }]);
  });

  it('do not mistake a process with a reused pid for a server', async () => {
    const first = await provision();
    for (const running of processes.splice(0).reverse()) await stop(running);
    const data = join(dir, 'postgres');
    // Postgres considers only processes of its own user.
    const stranger = spawn('sleep', ['60'], { ...postgresOwner(), stdio: 'ignore' });
    const lock = [stranger.pid, data, 1_700_000_000, first.ports.postgres, '', '127.0.0.1', ''];
    writeFileSync(join(data, 'postmaster.pid'), lock.join('\n'));
    const again = await provision(first.ports);
    expect(stranger.kill('SIGKILL')).toBe(true); // it was not killed
    expect(await query(again.postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('wait until a killed Postgres is reaped', async () => {
    const first = await provision();
    for (const running of processes.splice(0).reverse()) await stop(running);
    // `sleep` reaps no children: the one it inherits from the shell stays a zombie.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], {
      ...postgresOwner(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [printed] = await once(parent.stdout, 'data');
    const zombie = String(printed).trim();
    await vi.waitUntil(() => /\) Z /.test(readFileSync(`/proc/${zombie}/stat`, 'utf8')), { timeout: 30_000 });
    const data = join(dir, 'postgres');
    const lock = [zombie, data, 1_700_000_000, first.ports.postgres, '', '127.0.0.1', ''];
    writeFileSync(join(data, 'postmaster.pid'), lock.join('\n'));
    const log = join(dir, 'logs', 'postgres.log');
    const again = provision(first.ports);
    await vi.waitUntil(() => readFileSync(log, 'utf8').includes('"postmaster.pid" already exists'), {
      timeout: 30_000,
    });
    parent.kill('SIGKILL');
    expect(await query((await again).postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('take over a Postgres whose parent is gone and whose pid is unknown', async () => {
    const first = await provision();
    const forgotten = processes.find(({ name }) => name === 'postgres');
    for (const running of processes.splice(0)) if (running !== forgotten) await stop(running);
    const again = await provision(first.ports);
    expect(isRunning(forgotten)).toBe(false);
    expect(await query(again.postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('report every unreachable given server at once', async () => {
    const given = { nats: 'nats://127.0.0.1:9,nats://127.0.0.1:7', queue: 'valkey://127.0.0.1:9' };
    const wanted = { dir, logs: join(dir, 'logs'), given, database: 'x', durable: false, redisRequired: true };
    await expect(provisionServers({ ...wanted, record: (running) => processes.push(running) })).rejects.toThrow(
      /NATS_URL names a server at 127.0.0.1:9, 127.0.0.1:7, but nothing listens there[^]*QUEUE_URL names a server at 127.0.0.1:9,/,
    );
  });
});
