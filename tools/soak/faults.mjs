import { Redis } from 'ioredis';
import { connect } from 'nats';
import { sleep } from '../shared/wait.mjs';

const FREEZE_MS = 6_000;
const SILENCE_MS = 8_000;

const frozen = async (cluster, name) => {
  cluster.signal(name, 'SIGSTOP');
  await sleep(FREEZE_MS);
  cluster.signal(name, 'SIGCONT');
};

const silenced = async (cluster, name, server) => {
  const proxy = cluster.links.get(name)[server];
  proxy.silence();
  await sleep(SILENCE_MS);
  proxy.restore();
};

const wipeQueue = async ({ environment }) => {
  const redis = new Redis(environment.QUEUE_URL, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  await redis.connect();
  await redis.flushall();
  redis.disconnect();
};

const deleteStreams = async ({ environment }) => {
  const { host, username, password } = new URL(environment.NATS_URL);
  const nats = await connect({ servers: host, ...(username ? { user: username, pass: password } : {}) });
  const { streams } = await nats.jetstreamManager();
  for await (const { config } of streams.list()) await streams.delete(config.name);
  await nats.close();
};

/**
 * Faults by name, with their weights. `service` faults get the name of a service.
 *
 * @type {Record<string, { weight: number, service?: 'ingest' | 'worker', run: (cluster: any, service?: string) => Promise<void> }>}
 */
const FAULTS = {
  'freeze ingest': { weight: 3, service: 'ingest', run: frozen },
  'freeze worker': { weight: 3, service: 'worker', run: frozen },
  'kill ingest': { weight: 2, service: 'ingest', run: (cluster, name) => cluster.restartService(name, 'SIGKILL') },
  'kill worker': { weight: 3, service: 'worker', run: (cluster, name) => cluster.restartService(name, 'SIGKILL') },
  'replace ingest': { weight: 1, service: 'ingest', run: (cluster, name) => cluster.restartService(name, 'SIGTERM') },
  'replace worker': { weight: 1, service: 'worker', run: (cluster, name) => cluster.restartService(name, 'SIGTERM') },
  'cut ingest from postgres': cutting('ingest', 'postgres'),
  'cut worker from postgres': cutting('worker', 'postgres'),
  'cut ingest from nats': cutting('ingest', 'nats'),
  'cut worker from redis': cutting('worker', 'redis'),
  'silence ingest to postgres': silencing('ingest', 'postgres'),
  'silence worker to postgres': silencing('worker', 'postgres'),
  'silence worker to redis': silencing('worker', 'redis'),
  'freeze nats': { weight: 1, run: (cluster) => frozen(cluster, 'nats') },
  'freeze redis': { weight: 1, run: (cluster) => frozen(cluster, 'redis') },
  'kill nats': { weight: 1, run: (cluster) => cluster.restartServer('nats') },
  'kill redis': { weight: 1, run: (cluster) => cluster.restartServer('redis') },
  'kill postgres': { weight: 1, run: (cluster) => cluster.restartServer('postgres') },
  'wipe the queue': { weight: 1, run: wipeQueue },
  'delete the stream': { weight: 1, run: deleteStreams },
};

function cutting(service, server) {
  return { weight: 1, service, run: async (cluster, name) => cluster.links.get(name)[server].cut() };
}

function silencing(service, server) {
  return { weight: 1, service, run: (cluster, name) => silenced(cluster, name, server) };
}

/**
 * An infinite, seeded sequence of faults.
 *
 * @param {() => number} random from 0 to below 1
 * @param {readonly string[]} services
 * @returns {Generator<{ name: string, service?: string, run: (cluster: any) => Promise<void> }>}
 */
export function* drawFaults(random, services) {
  const urn = Object.entries(FAULTS).flatMap(([name, fault]) =>
    Array.from({ length: fault.weight }, () => [name, fault]),
  );
  const one = (list) => list[Math.floor(random() * list.length)];
  for (;;) {
    const [name, fault] = one(urn);
    const service = fault.service && one(services.filter((candidate) => candidate.startsWith(fault.service)));
    yield { name, service, run: (cluster) => fault.run(cluster, service) };
  }
}
