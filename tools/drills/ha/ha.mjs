// `npm run ha-drill`: fails over Postgres, etcd, NATS and Redis under load, and checks that nothing acknowledged is lost.
import { randomBytes } from 'node:crypto';
import { build } from '../../dev/build.mjs';
import { createKey, migrate } from '../../dev/command-line.mjs';
import { ensureDatabase, postgresUrl, serviceUrlOf } from '../../servers/postgres.mjs';
import { script } from '../../shared/script.mjs';
import { say, step } from '../../shared/steps.mjs';
import { sleep, until } from '../../shared/wait.mjs';
import { startHistories } from '../../faults/histories.mjs';
import { answersOf, Conversations, describeAnswers, sayFaults } from '../conversations.mjs';
import { forwardsToIngests, ingestSection, postgresSection, redisSection, startHaproxy } from '../haproxy.mjs';
import { AppendProbe } from '../probe.mjs';
import { runDrill, Site } from '../site.mjs';
import { FAULTS } from './faults.mjs';
import { NatsCluster } from './nats-cluster.mjs';
import { PatroniCluster, TIMES } from './patroni.mjs';
import { RedisPair } from './redis-pair.mjs';

script(`Usage: npm run ha-drill -- [FAULT]

Two Postgres with Patroni and etcd, three NATS servers, two Redis with Sentinel, two ingests and two workers behind
haproxy, all on loopback. Fails each over under load and checks every reader. Takes about seven minutes. As root on
Debian, missing programs are installed.

  FAULT  part of a fault's name: only these, such as 'Redis'
`);

const INGESTS = ['ingest-1', 'ingest-2'];
const WORKERS = ['worker-1', 'worker-2'];
const BALANCERS = ['ingest', 'postgres', 'redis'];
const WRITERS = 8;
const PAUSE_MS = 100;
/** Time under load before and after each fault. */
const CALM_MS = 5_000;

const site = new Site('ha-drill');
const password = randomBytes(16).toString('hex');
const wanted = FAULTS.filter(({ name }) => name.includes(process.argv[2] ?? ''));
if (wanted.length === 0) throw new Error(`No fault's name contains ${process.argv[2]}.`);

const startCluster = async () => {
  await step('build', build, () => 'compiled');
  await site.begin([
    ...[...INGESTS, ...WORKERS, ...BALANCERS.map((name) => `haproxy-${name}`)],
    ...[...PatroniCluster.ports, ...NatsCluster.ports, ...RedisPair.ports],
  ]);
  const patroni = new PatroniCluster(site, password);
  const nats = new NatsCluster(site, password);
  const redis = new RedisPair(site, password);
  await step(
    'patroni',
    () => patroni.start(),
    () => 'two Postgres, three etcd',
  );
  await step(
    'nats',
    () => nats.start(),
    () => 'three servers',
  );
  await step(
    'redis',
    () => redis.start(),
    () => 'two servers, three Sentinels',
  );
  const { ports } = site;
  const [ingest, postgres, queue] = BALANCERS.map((name) => ports[`haproxy-${name}`]);
  await startHaproxy(
    site,
    [
      ingestSection(
        ingest,
        INGESTS.map((name) => ({ name, port: ports[name] })),
      ),
      postgresSection(
        postgres,
        patroni.nodes.map(({ name, port, rest }) => ({ name, port, check: rest })),
      ),
      redisSection(queue, password, redis.servers),
    ],
    ingest,
  );
  const admin = postgresUrl(postgres, password, 'postgres');
  await until('haproxy knows the primary', () =>
    ensureDatabase(admin, 'turnkeeper').then(
      () => true,
      () => false,
    ),
  );
  const owner = postgresUrl(postgres, password, 'turnkeeper');
  const urls = {
    DATABASE_URL: serviceUrlOf(owner, password),
    NATS_URL: nats.url,
    QUEUE_URL: `redis://:${password}@127.0.0.1:${queue}`,
  };
  const environment = site.environmentFor(urls, { STREAM_REPLICAS: '3' });
  const ownerEnvironment = { ...environment, MIGRATION_DATABASE_URL: owner };
  await step('migrate', (note) => migrate(ownerEnvironment, note));
  await step(
    'services',
    () => Promise.all([...INGESTS, ...WORKERS].map((name) => site.startService(name, environment))),
    () => [...INGESTS, ...WORKERS].join(' '),
  );
  const { apiKey } = await createKey(ownerEnvironment, 'drill');
  return { patroni, nats, redis, url: `http://127.0.0.1:${ingest}`, apiKey, ownerEnvironment };
};

const drill = async (histories) => {
  const cluster = await startCluster();
  const { url, apiKey, ownerEnvironment } = cluster;
  const conversations = new Conversations({
    urls: [url],
    apiKey,
    histories,
    folder: site.system.folder,
    writers: WRITERS,
    pauseMs: PAUSE_MS,
  });
  await forwardsToIngests(url);
  await conversations.start();
  const probed = await conversations.api.post('/memory/memories', { name: 'probe' });
  const probe = new AppendProbe({ url, apiKey, memoryId: probed.id });
  const probing = probe.run();
  probing.catch(() => {}); // awaited below
  const arrivals = new Arrivals(histories);
  await cluster.nats.healthy();
  const results = [];
  await conversations.during(async () => {
    await sleep(4 * CALM_MS);
    results.push(['no fault', probe.longestPause(Date.now() - 3 * CALM_MS, Date.now()), arrivals.longest()]);
    for (const fault of wanted) results.push(await inflict(fault, cluster, probe, arrivals));
  });
  probe.end();
  arrivals.end();
  await probing;
  const faults = await conversations.check(ownerEnvironment);
  faults.probe = await probe.faults(conversations.api);
  return report({ results, faults, writers: conversations.writers, probe });
};

const inflict = async ({ name, fault, repair }, cluster, probe, arrivals) => {
  arrivals.reset();
  const from = Date.now();
  await step(
    'fault',
    async (note) => {
      note(name);
      const hit = await fault(cluster);
      await sleep(CALM_MS);
      await repair(cluster, hit);
      await sleep(CALM_MS);
    },
    () => name,
  );
  await until('appends', () => probe.times.at(-1) > Date.now() - 500, { timeoutMs: 60_000 });
  return [name, probe.longestPause(from, Date.now()), arrivals.longest()];
};

/** Times between histories that webhooks bring: the work behind the log. */
class Arrivals {
  /** @type {number[]} */
  times = [];

  constructor(histories) {
    this.reset();
    let last = histories.count();
    this.timer = setInterval(() => {
      if (histories.count() === last) return;
      last = histories.count();
      this.times.push(Date.now());
    }, 50);
  }

  reset() {
    this.times = [Date.now()];
  }

  longest() {
    const marks = [...this.times, Date.now()];
    return Math.max(...marks.slice(1).map((time, index) => time - marks[index]));
  }

  end() {
    clearInterval(this.timer);
  }
}

const report = ({ results, faults, writers, probe }) => {
  say('\n| fault | longest pause of appends, s | longest time without a webhook, s |');
  say('|---|--:|--:|');
  for (const [name, pause, arrival] of results) say(`| ${name} | ${seconds(pause)} | ${seconds(arrival)} |`);
  const stored = writers.acknowledged + probe.acknowledged.size;
  say(`\n${stored} messages acknowledged in ${writers.ledger.world.conversations.size} conversations.`);
  say(`Answers: ${describeAnswers(answersOf([...writers.clients, probe.client]))}.`);
  say(`Patroni: ttl ${TIMES.ttl} s, loop_wait ${TIMES.loop_wait} s, retry_timeout ${TIMES.retry_timeout} s.`);
  return sayFaults(faults);
};

const seconds = (ms) => (ms / 1_000).toFixed(1);

const histories = await startHistories();
await runDrill(site, () => drill(histories));
