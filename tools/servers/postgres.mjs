import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch, stop, tailOf, untilAnswers } from '../shared/background.mjs';
import { runOrThrow } from '../shared/command.mjs';
import { commandOf, stampOf } from '../shared/process-identity.mjs';
import { sleep } from '../shared/wait.mjs';
import { makeOwnFolder } from './postgres-owner.mjs';

/** Retries of a start while the children of an earlier server still exit. */
const PATIENCE = 20;

export const postgresUrl = (port, password, database) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

/** The same database for the services: a login that is no superuser and owns no table. `migrate` creates it. */
export const serviceUrlOf = (ownerUrl, password) =>
  Object.assign(new URL(ownerUrl), { username: 'turnkeeper', password }).href;

/**
 * A private Postgres on a loopback port, without a Unix socket.
 *
 * @typedef {{ binaries: string, data: string, owner?: import('./postgres-owner.mjs').Owner, port: number, password: string,
 *             logFile: string, durable: boolean, record?: import('../shared/background.mjs').Record }} PrivatePostgres
 *
 * @param {PrivatePostgres} what
 *   `durable: false` is for tests: quicker, and lost on a power cut
 */
export const startPostgres = async (what) => {
  if (!existsSync(join(what.data, 'PG_VERSION'))) await makeCluster(what);
  await clearStaleLock(what.data);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const server = await launchOnce(what);
      await untilAnswers(server, () => answers(postgresUrl(what.port, what.password, 'postgres')));
      return server;
    } catch (error) {
      // After a `kill -9`, the children need a moment to notice and hold the shared memory until then. Postgres takes a
      // killed server for a running one until its parent has reaped it.
      const isExiting = /shared memory block|"postmaster.pid" already exists/.test(tailOf(what.logFile));
      if (attempt === PATIENCE || !isExiting) throw error;
      await sleep(250);
    }
  }
};

/** Creates the database if it does not exist. */
export const ensureDatabase = async (adminUrl, name) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
};

/**
 * Created in a temporary folder and then moved, so that an interrupted `initdb` leaves nothing that looks like a
 * cluster.
 *
 * @param {PrivatePostgres} what
 */
const makeCluster = async ({ binaries, data, owner, password, durable }) => {
  const draft = `${data}.draft`;
  const passwordFile = `${data}.password`;
  rmSync(draft, { recursive: true, force: true });
  makeOwnFolder(draft, owner);
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (owner) chownSync(passwordFile, owner.uid, owner.gid);
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  // The built-in provider handles Unicode case without any locale on the machine.
  const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = ['-D', draft, ...access, ...text, ...(durable ? [] : ['--no-sync'])];
  try {
    await runOrThrow(join(binaries, 'initdb'), args, { ...owner, cwd: '/' });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  rmSync(data, { recursive: true, force: true });
  renameSync(draft, data);
};

/** @param {PrivatePostgres} what */
const launchOnce = ({ binaries, data, owner, port, logFile, durable, record }) => {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  // SIGINT is Postgres' "fast" shutdown: sessions are terminated, nothing is lost.
  return launch({
    name: 'postgres',
    command: join(binaries, 'postgres'),
    args,
    logFile,
    record,
    stopSignal: 'SIGINT',
    cwd: '/',
    ...owner,
  });
};

/**
 * A server that was killed leaves its lock file. Postgres detects that, unless the pid has been reused (likely after a
 * reboot, and in containers): then it takes that process for a server. A server whose parent was killed can still be
 * running on the data; it is stopped.
 */
const clearStaleLock = async (data) => {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
  const stamp = stampOf(pid);
  if (stamp === undefined) return;
  if (commandOf(pid).includes(data)) await stop({ name: 'postgres', pid, stamp, stopSignal: 'SIGINT' });
  else rmSync(lock, { force: true });
};

const answers = async (url) => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const WRONG_PASSWORD = '28P01';
    if (error.code !== WRONG_PASSWORD) return false;
    throw new Error('Postgres refuses our own password: its data is older than it. `npm run reset` starts afresh.', {
      cause: error,
    });
  } finally {
    await client.end().catch(() => {});
  }
};
