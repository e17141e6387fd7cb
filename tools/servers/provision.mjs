import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keptSecret } from '../shared/kept-secret.mjs';
import { choosePorts } from '../shared/ports.mjs';
import { findProgram } from '../shared/programs.mjs';
import { step } from '../shared/steps.mjs';
import { listens } from '../shared/wait.mjs';
import { adviceFor } from './advice.mjs';
import { composeUp, engineAnswers } from './compose.mjs';
import { canInstall, installDebianPackage } from './debian.mjs';
import { NATS_PACKAGES, NATS_PROGRAMS, natsUrl, startNats } from './nats.mjs';
import { postgresBinaries } from './postgres-binaries.mjs';
import { dataFolder, ownerOfFolder, postgresOwner } from './postgres-owner.mjs';
import { ensureDatabase, postgresUrl, serviceUrlOf, startPostgres } from './postgres.mjs';
import { REDIS_PACKAGES, REDIS_PROGRAMS, redisUrl, startRedis } from './redis.mjs';
import { firstSource } from './sources.mjs';

/**
 * Provides Postgres, NATS with JetStream, and Redis or Valkey.
 *
 * @typedef {object} Wanted
 * @property {string} dir where private servers keep their data
 * @property {string} logs folder of their log files
 * @property {{ database?: string, nats?: string, queue?: string }} given URLs of servers that exist already
 * @property {string} database name of the database to make on a private Postgres
 * @property {Record<string, number>} [ports] of the last time, by server
 * @property {boolean} durable whether the data must survive a power cut
 * @property {boolean} redisRequired false: without Redis the queue lives in Postgres
 * @property {(running: import('../shared/background.mjs').Running) => void} record told of every process at its start
 * @property {() => Promise<void>} [located] what must be done when every server was found, before the first one starts
 *
 * @typedef {object} Server
 * @property {'postgres' | 'nats' | 'redis'} name
 * @property {import('./sources.mjs').SourceName | 'fallback'} source
 * @property {string} url as the owner of the data, where the server is ours
 * @property {string} [serviceUrl] of Postgres: the login of the services, which `migrate` creates
 * @property {import('../shared/background.mjs').Launched} [launched] private ones only
 * @property {() => Promise<import('../shared/background.mjs').Launched>} [start] starts a private one again, on the same port
 * @property {string} [outside] a data folder that lies outside of `dir`
 *
 * @param {Wanted} wanted
 * @returns {Promise<{ postgres: Server, nats: Server, redis: Server, ports: Record<string, number> }>}
 */
export const provisionServers = async (wanted) => {
  mkdirSync(wanted.dir, { recursive: true });
  const found = await findSources(wanted);
  await wanted.located?.();
  const ports = { ...wanted.ports, ...(await choosePorts(NAMES, wanted.ports)) };
  /** @param {'postgres' | 'nats' | 'redis'} name @returns {Promise<Server>} */
  const provide = (name) =>
    step(name, (note) => KINDS[name].provide({ ...wanted, ...found[name], name, port: ports[name], note }), describe);
  const postgres = await provide('postgres');
  const nats = await provide('nats');
  const redis = found.redis ? await provide('redis') : await fallBack(postgres);
  return { postgres, nats, redis, ports };
};

/** @type {ReadonlyArray<Server['name']>} in the order of their start */
const NAMES = ['postgres', 'nats', 'redis'];

/** Locates all of them before starting one, so that everything missing is reported in one message. */
const findSources = async (wanted) => {
  const found = {};
  for (const name of NAMES) {
    found[name] = await firstSource(KINDS[name].sources(wanted));
  }
  const missing = NAMES.filter((name) => !found[name] && (name !== 'redis' || wanted.redisRequired));
  const unreachable = (
    await Promise.all(
      NAMES.map((name) =>
        found[name]?.source === 'given' ? unreachableAt(found[name].value, VARIABLES[name]) : undefined,
      ),
    )
  ).filter(Boolean);
  const faults = [...unreachable, ...(missing.length > 0 ? [adviceFor(missing)] : [])];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return found;
};

const fallBack = (postgres) => {
  /** @type {Server} */
  const server = { name: 'redis', source: 'fallback', url: postgres.serviceUrl };
  return step('redis', async () => server, describe);
};

const orNothing = (url) => url || undefined;
const engine = async () => ((await engineAnswers()) ? true : undefined);
const fromDebian = (packages, programs) => async () => {
  if (!canInstall()) return undefined;
  const installed = await step(
    programs[0],
    (note) => installDebianPackage(packages, note),
    (done) => (done ? 'installed from Debian' : 'not in Debian here'),
  );
  return installed ? findProgram(programs) : undefined;
};

/** @type {Record<Server['name'], { sources: Function, provide: (what: any) => Promise<Server> }>} */
const KINDS = {
  postgres: {
    sources: ({ given }) => [
      ['given', () => orNothing(given.database)],
      ['private', () => postgresBinaries(postgresOwner())],
      ['compose', engine],
    ],
    provide: async (what) => {
      const { dir, logs, source, value, database, durable, port, record, note } = what;
      if (source === 'given') return { name: 'postgres', source, url: value, serviceUrl: value };
      const password = keptSecret(join(dir, 'postgres-password'));
      const url = postgresUrl(port, password, database);
      const serviceUrl = serviceUrlOf(url, keptSecret(join(dir, 'service-password')));
      if (source === 'compose') {
        await composeUp({ dir, service: 'postgres', port, password, note });
        await ensureDatabase(postgresUrl(port, password, 'postgres'), database);
        return { name: 'postgres', source, url, serviceUrl };
      }
      const owner = ownerOfFolder(join(dir, 'postgres')) ?? postgresOwner();
      const data = dataFolder(dir, owner);
      const start = () =>
        startPostgres({
          binaries: value,
          data,
          owner,
          port,
          password,
          durable,
          record,
          logFile: join(logs, 'postgres.log'),
        });
      note('making a database');
      const launched = await start();
      await ensureDatabase(postgresUrl(port, password, 'postgres'), database);
      return {
        name: 'postgres',
        source,
        url,
        serviceUrl,
        launched,
        start,
        ...(data.startsWith(dir) ? {} : { outside: dirname(data) }),
      };
    },
  },
  nats: {
    sources: ({ given }) => [
      ['given', () => orNothing(given.nats)],
      ['private', () => findProgram(NATS_PROGRAMS)],
      ['debian', fromDebian(NATS_PACKAGES, NATS_PROGRAMS)],
      ['compose', engine],
    ],
    provide: (what) => provideSimple(what, { urlOf: natsUrl, start: startNats }),
  },
  redis: {
    sources: ({ given }) => [
      ['given', () => orNothing(given.queue)],
      ['private', () => findProgram(REDIS_PROGRAMS)],
      ['debian', fromDebian(REDIS_PACKAGES, REDIS_PROGRAMS)],
      ['compose', engine],
    ],
    provide: (what) => provideSimple(what, { urlOf: redisUrl, start: startRedis }),
  },
};

const provideSimple = async (what, { urlOf, start: startServer }) => {
  const { name, dir, logs, source, value, port, record, note } = what;
  if (source === 'given') return { name, source, url: value };
  const password = keptSecret(join(dir, `${name}-password`));
  const url = urlOf(port, password);
  if (source === 'compose') {
    await composeUp({ dir, service: name, port, password, note });
    return { name, source, url };
  }
  const start = () => startServer({ program: value, dir, port, password, record, logFile: join(logs, `${name}.log`) });
  return { name, source, url, launched: await start(), start };
};

const VARIABLES = { postgres: 'DATABASE_URL', nats: 'NATS_URL', redis: 'QUEUE_URL' };

/**
 * A given server is not started by us; we only report early and clearly if it is unreachable. One server of a cluster
 * is enough.
 *
 * @returns {Promise<string | undefined>}
 */
const unreachableAt = async (urls, variable) => {
  const parsed = urls.split(',').map((url) => (URL.canParse(url.trim()) ? new URL(url.trim()) : undefined));
  // Without the value: it can contain a password.
  if (!parsed.every((url) => url !== undefined && url.hostname !== '' && url.protocol in USUAL_PORTS))
    return `${variable} must be a URL such as ${EXAMPLES[variable]}. Correct it, or unset ${variable}.`;
  const places = parsed.map(({ hostname, port, protocol }) => {
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || USUAL_PORTS[protocol] };
  });
  const reached = await Promise.all(places.map(({ port, host }) => listens(port, host)));
  if (reached.includes(true)) return undefined;
  const named = places.map(({ host, port }) => `${host}:${port}`).join(', ');
  return `${variable} names a server at ${named}, but nothing listens there. Start it, or unset ${variable}.`;
};

const EXAMPLES = {
  DATABASE_URL: 'postgres://user:password@localhost:5432/turnkeeper',
  NATS_URL: 'nats://localhost:4222',
  QUEUE_URL: 'redis://localhost:6379',
};

const USUAL_PORTS = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'nats:': 4222,
  'tls:': 4222,
  'redis:': 6379,
  'rediss:': 6379,
  'valkey:': 6379,
  'valkeys:': 6379,
};

/** Host and port only: a URL can contain a password. @param {Server} server */
const describe = ({ source, url, outside }) => {
  if (source === 'fallback') return 'not found: the queue lives in Postgres';
  const { host } = new URL(url.split(',')[0]);
  const from = { given: 'given, at', private: 'private, on', debian: 'private, on', compose: 'container, on' }[source];
  return `${from} ${host}${outside ? ` (data in ${outside})` : ''}`;
};
