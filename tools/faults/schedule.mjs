import { Redis } from 'ioredis';
import { connect } from 'nats';
import { sleep } from '../shared/wait.mjs';

/**
 * A fault: what it is done to, its weight, and how. `run` rejects if the fault did not take place, and resolves when its
 * cause is over.
 *
 * @typedef {import('./system.mjs').System} System
 * @typedef {{ weight?: number, on?: 'ingest' | 'worker' | 'service' | 'table', isLock?: boolean, takesPostgres?: boolean,
 *             run: (system: System, target: string, ms: number) => Promise<unknown> }} Fault
 *   `isLock`: no read may wait for it; `takesPostgres`: answers of 503 are in order
 */

/** Tables of the hot paths that have rows from the start. */
const HOT_TABLES = [
  'sessions',
  'agents',
  'memories',
  'extraction_states',
  'tenants',
  'api_keys',
  'dispatch_cursor',
  'relay_cursor',
  'events',
  'strategies',
];

const confirm = (happened, what) => {
  if (!happened) throw new Error(`the fault did not take place: ${what}`);
};

const frozen = async (system, name, ms) => {
  system.signal(name, 'SIGSTOP');
  try {
    await sleep(ms);
    confirm(system.isFrozen(name), `${name} is not stopped`);
  } finally {
    system.signal(name, 'SIGCONT');
  }
};

/** A tenth of a core: 10 ms of each 100. */
const starved = async (system, name, ms) => {
  const end = Date.now() + 2 * ms;
  let pauses = 0;
  while (Date.now() < end) {
    system.signal(name, 'SIGSTOP');
    await sleep(90);
    system.signal(name, 'SIGCONT');
    await sleep(10);
    pauses += 1;
  }
  confirm(pauses > 5, `${name} was stopped ${pauses} times`);
};

/** @param {string} server @param {'silence' | 'reset' | 'delay'} how */
const onPath = (server, how) => async (system, name, ms) => {
  const proxy = system.links.get(name)?.[server];
  confirm(proxy && (proxy.connections() > 0 || how !== 'reset'), `${name} has no connection to ${server}`);
  if (how === 'reset') return proxy?.reset();
  if (how === 'delay') proxy?.delay(40);
  else proxy?.silence();
  await sleep(how === 'delay' ? 2 * ms : ms);
  return proxy?.restore();
};

/** A third party's transaction that holds what a statement locks. */
const held = (statementOf) => (system, target, ms) =>
  system.withConnection(async (client) => {
    await client.query('begin');
    const { rowCount } = await client.query(statementOf(target));
    confirm(rowCount !== 0 || target === '', `nothing to lock in ${target}`);
    await sleep(Math.min(ms, 3_000));
    await client.query('rollback');
  });

const terminated = async (system) => {
  const { rowCount } = await system.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  confirm(rowCount > 0, 'no connection to end');
};

/** A backend that is stopped within its statement keeps its locks, so statements that need them wait. */
const frozenBackend = async (system, _, ms) => {
  const { rows } = await system.query(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' order by state <> 'active', random() limit 1`,
  );
  confirm(rows.length === 1, 'no backend');
  process.kill(rows[0].pid, 'SIGSTOP');
  await sleep(Math.min(ms, 3_000));
  system.wake(rows[0].pid);
};

const exhausted = async (system, _, ms) => {
  const taken = [];
  try {
    for (let count = 0; count < 200; count += 1) {
      const reached = await new Promise((resolve) => {
        taken.push(
          system
            .withConnection((client) => new Promise((end) => resolve({ end: () => end(client) })))
            .catch(() => resolve(null)),
        );
      });
      if (reached === null) break;
      taken.push(reached);
    }
    confirm(taken.length > 10, `${taken.length} connections`);
    await sleep(ms);
  } finally {
    for (const each of taken) each.end?.();
    await Promise.all(taken);
  }
};

/** An open transaction that has written: it holds the horizon of vacuum and of snapshots. */
const idle = (system, _, ms) =>
  system.withConnection(async (client) => {
    await client.query('begin isolation level repeatable read');
    await client.query('select pg_current_xact_id()');
    await sleep(2 * ms);
    await client.query('rollback');
  });

const wipedQueue = async (system) => {
  const url = system.environment.QUEUE_URL ?? '';
  if (url.startsWith('postgres')) {
    await system.withConnection((client) => insist(() => client.query(FORGET_JOBS)), url);
    return;
  }
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  await redis.connect();
  await redis.flushall();
  redis.disconnect();
};
/** The tables too, as on a new server. */
const FORGET_JOBS = `do $$ declare name text; begin
  for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('public', 'information_schema') loop
    execute format('drop schema %I cascade', name);
  end loop;
end $$`;
/** Jobs and the wipe can deadlock; Postgres then aborts one of them. */
const insist = async (work) => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error.code !== '40P01' || attempt === 20) throw error;
    }
  }
};

const deletedStreams = async (system) => {
  const { host, username, password } = new URL(system.environment.NATS_URL ?? '');
  const nats = await connect({ servers: host, user: username, pass: password });
  const { streams } = await nats.jetstreamManager();
  let deleted = 0;
  for await (const { config } of streams.list()) deleted += Number(await streams.delete(config.name));
  await nats.close();
  confirm(deleted > 0, 'no stream to delete');
};

/** @type {Record<string, Fault>} */
const FAULTS = {
  'kill ingest': { on: 'ingest', weight: 2, run: (system, name) => system.restartService(name, 'SIGKILL') },
  'kill worker': { on: 'worker', weight: 3, run: (system, name) => system.restartService(name, 'SIGKILL') },
  'replace service': { on: 'service', run: (system, name) => system.restartService(name, 'SIGTERM') },
  'freeze ingest': { on: 'ingest', weight: 3, run: frozen },
  'freeze worker': { on: 'worker', weight: 3, run: frozen },
  'starve ingest': { on: 'ingest', run: starved },
  'starve worker': { on: 'worker', run: starved },
  'reset path to Postgres': { on: 'service', weight: 2, run: onPath('postgres', 'reset') },
  'delay path to Postgres': { on: 'service', run: onPath('postgres', 'delay') },
  'half-open path to Postgres': { on: 'service', weight: 2, run: onPath('postgres', 'silence') },
  'reset path to NATS': { on: 'service', run: onPath('nats', 'reset') },
  'delay path to NATS': { on: 'service', run: onPath('nats', 'delay') },
  'half-open path to NATS': { on: 'service', run: onPath('nats', 'silence') },
  'half-open path to the queue': { on: 'worker', run: onPath('redis', 'silence') },
  'hold one row': {
    on: 'table',
    weight: 3,
    isLock: true,
    run: held((table) => `select from ${table} order by random() limit 1 for update`),
  },
  'hold all rows': { on: 'table', isLock: true, run: held((table) => `select from ${table} for update`) },
  'hold the totals': { isLock: true, run: held(() => 'select pg_advisory_xact_lock(1414877774, 6)') },
  'hold the deletions': { isLock: true, run: held(() => 'select pg_advisory_xact_lock(1414877774, 7)') },
  'hold the append lock': { isLock: true, run: held(() => 'select pg_advisory_xact_lock(1414877774, 0)') },
  'idle transaction': { run: idle },
  'take all connections': { run: exhausted, takesPostgres: true },
  'end all connections': { weight: 2, run: terminated },
  'vacuum full': { on: 'table', takesPostgres: true, run: (system, table) => system.query(`vacuum full ${table}`) },
  'freeze a backend': { takesPostgres: true, run: frozenBackend },
  'failing receivers': {
    weight: 2,
    run: async ({ histories }, _, ms) => {
      histories.fail(true);
      await sleep(2 * ms);
      histories.fail(false);
    },
  },
  'freeze NATS': { run: (system, _, ms) => frozen(system, 'nats', ms) },
  'kill NATS': { run: (system) => system.restartServer('nats') },
  'wipe NATS': { run: (system) => system.restartServer('nats', { wipe: true }) },
  'delete the streams': { run: deletedStreams },
  'kill the queue': { run: (system) => system.restartServer('redis') },
  'freeze the queue': { run: (system, _, ms) => frozen(system, 'redis', ms) },
  'wipe the queue': { weight: 2, run: wipedQueue },
  'kill Postgres': {
    takesPostgres: true,
    run: async (system) => {
      await system.restartServer('postgres');
      await system.postgresAnswers();
    },
  },
};

/** Of the queue's own server; the queue on Postgres has none. */
const OF_REDIS = new Set(['kill the queue', 'freeze the queue']);
const [SHORTEST_MS, LONGEST_MS] = [2_000, 10_000];

/**
 * An infinite, seeded sequence of faults.
 *
 * @param {() => number} random from 0 to below 1
 * @param {{ services: readonly string[], queue: 'postgres' | 'redis' }} of
 * @returns {Generator<Fault & { name: string, target: string, ms: number }>}
 */
export function* drawFaults(random, { services, queue }) {
  const one = (list) => list[Math.floor(random() * list.length)];
  const urn = Object.keys(FAULTS)
    .filter((name) => queue === 'redis' || !OF_REDIS.has(name))
    .flatMap((name) => Array.from({ length: FAULTS[name]?.weight ?? 1 }, () => name));
  for (;;) {
    const name = one(urn);
    const fault = /** @type {Fault} */ (FAULTS[name]);
    const targets =
      fault.on === 'table'
        ? HOT_TABLES
        : services.filter((each) => fault.on === 'service' || each.startsWith(fault.on ?? ' '));
    const target = one(targets) ?? '';
    yield { ...fault, name, target, ms: Math.round(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS)) };
  }
}
