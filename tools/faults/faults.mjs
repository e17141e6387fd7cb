// `npm run faults`: conversations through several ingests and workers, with a fault every few seconds, and an oracle that
// asks every reader about everything that was acknowledged.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiClient, path } from '../shared/api.mjs';
import { randomFrom } from '../shared/random.mjs';
import { script } from '../shared/script.mjs';
import { step } from '../shared/steps.mjs';
import { sleep, until } from '../shared/wait.mjs';
import { runDrill } from '../drills/site.mjs';
import { verifyLog } from '../drills/verify-log.mjs';
import { watchLocks } from './blocked.mjs';
import { startHistories } from './histories.mjs';
import { Ledger } from './ledger.mjs';
import { createMemory } from './memory.mjs';
import { Oracle } from './oracle.mjs';
import { missingOnStreams, tracesOf } from './places.mjs';
import { report } from './report.mjs';
import { drawFaults } from './schedule.mjs';
import { System } from './system.mjs';
import { Writers } from './writers.mjs';

const USAGE = `Usage: npm run faults -- [--minutes 30] [--seed 1] [--queue redis|postgres] [--writers 16]
                         [--fault-seconds 8] [--pause-ms 50] [--share 0.3] [--only NAME] [--record]

  --minutes        how long conversations go on
  --seed           the same seed draws the same faults, and the same actions of each writer
  --queue          backend of the job queue
  --writers        writers, each with one conversation at a time
  --fault-seconds  least time from the start of one fault to the next; 0: no faults
  --pause-ms       a writer's pause between two actions
  --share          share of the acknowledgements that are read back at once, at every ingest
  --only           only faults whose names contain this
  --record         write the result into docs/reliability.md
`;
script(USAGE);

const number = (name, text, min, max) => {
  const value = Number(text);
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  process.stderr.write(`--${name} must be a number from ${min} to ${max}.\n`);
  process.exit(2);
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    queue: { type: 'string', default: 'redis' },
    writers: { type: 'string', default: '16' },
    'fault-seconds': { type: 'string', default: '8' },
    'pause-ms': { type: 'string', default: '50' },
    share: { type: 'string', default: '0.3' },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
});
const options = {
  minutes: number('minutes', values.minutes, 0.1, 1_440),
  seed: number('seed', values.seed, 0, 2 ** 32 - 1),
  queue: values.queue === 'postgres' ? /** @type {const} */ ('postgres') : /** @type {const} */ ('redis'),
  writers: number('writers', values.writers, 1, 256),
  faultSeconds: number('fault-seconds', values['fault-seconds'], 0, 3_600),
  pauseMs: number('pause-ms', values['pause-ms'], 0, 60_000),
  share: number('share', values.share, 0, 1),
  only: values.only,
  record: values.record,
};

/** Everything derived is there this long after the last fault. */
const SETTLE_MS = 60_000;

const run = async (system, histories) => {
  await system.start();
  const { apiKey, ingestUrls: urls } = system;
  const api = apiClient({ url: urls[0] ?? '', key: apiKey, timeoutMs: 60_000 });
  const since = new Date(Date.now() - 60_000).toISOString();
  const { memory, endpoints } = await createMemory(api, { name: 'faults', webhooks: histories.url });
  const ledger = new Ledger(join(system.system.folder, 'ledger.jsonl'));
  const oracle = new Oracle({ urls, apiKey, ledger, seed: options.seed, share: options.share });
  const { writers: count, pauseMs, seed } = options;
  const acknowledged = (name, contents) => oracle.look(name, contents);
  const writers = new Writers({ urls, apiKey, memoryId: memory.id, count, pauseMs, seed, ledger, acknowledged });
  const stopWatching = watchLocks(system);
  const faults = await withFaults(system, writers, ledger);
  const blocked = await stopWatching();

  const world = ledger.readBack();
  /** @type {Record<string, string[]>} */
  const found = { answers: [...writers.surprises, ...writers.clients.flatMap(({ failures }) => failures)] };
  found.faults = faults.flatMap(({ name, failed }) => (failed ? [`${name}: ${failed}`] : []));
  const late = async (what, ask) => {
    const missing = await step(
      what,
      () => settle(ask),
      (rest) => (rest.length === 0 ? 'done' : `${rest.length} late: ${rest[0]}`),
    );
    found[what] = missing;
  };
  await late('extraction', async () => {
    const { caughtUp, strategies } = await api.get(path`/v1/memories/${memory.id}/extraction`);
    return caughtUp ? [] : [JSON.stringify(strategies)];
  });
  await late('webhooks', async () => {
    // Skips the schedule's waits of minutes and days.
    for (const { id } of endpoints) await api.post(path`/v1/webhook-endpoints/${id}/send-now`, { since });
    const wanted = [...world.conversations.values()].filter(
      ({ stopped, erased }) => stopped === 'acknowledged' && !erased,
    );
    return wanted
      .filter(
        ({ agentId }) =>
          histories.bodiesOf('standard', agentId).length * histories.bodiesOf('agora', agentId).length === 0,
      )
      .map(({ name }) => name);
  });
  await late('streams', () => missingOnStreams(system.environment, oracle.eventIds(world)));
  await late('traces', () => tracesOf(system));
  await step(
    'readers',
    () => oracle.readAll(world, histories),
    () => `${world.conversations.size} conversations at ${urls.length} ingests`,
  );
  found.log = await step(
    'log',
    () => verifyLog(system.ownerEnvironment),
    (each) => (each.length === 0 ? 'audited and rebuilt' : 'faulty'),
  );
  found.parked = (await system.query('select t::text as parked from parked_items t')).rows.map(({ parked }) => parked);
  return report({ options, faults, oracle, writers, world, found, blocked });
};

/** Writes while faults happen, and what came of each. */
const withFaults = async (system, writers, ledger) => {
  const faults = [];
  const working = writers.run();
  working.catch(() => {});
  const work = async (note) => {
    const drawn = drawFaults(randomFrom(options.seed), { services: system.names, queue: options.queue });
    const end = Date.now() + options.minutes * 60_000;
    while (Date.now() < end) {
      const started = Date.now();
      if (options.faultSeconds > 0) {
        let fault;
        do fault = drawn.next().value;
        while (!fault?.name.includes(options.only));
        note(`${writers.acknowledged} messages, ${faults.length} faults, now: ${fault.name} ${fault.target}`);
        faults.push(await inflict(system, ledger, fault));
      }
      await sleep(Math.max(0, Math.min(started + (options.faultSeconds || 1) * 1_000, end) - Date.now()));
    }
  };
  await step(
    'faults',
    (note) => Promise.race([work(note), working.then(() => new Promise(() => {}))]),
    () => `${writers.acknowledged} messages acknowledged, ${faults.length} faults`,
  );
  writers.end();
  await working;
  return faults;
};

const inflict = async (system, ledger, { name, target, ms, run: strike, isLock = false, takesPostgres = false }) => {
  const from = Date.now();
  await ledger.write({ at: from, op: 'fault', fault: name, target, ms });
  const failed = await strike(system, target, ms).then(
    () => undefined,
    (error) => `${target}: ${error.message}`,
  );
  return { name, target, from, to: Date.now(), failed, isLock, takesPostgres };
};

/** Asks until nothing is missing or the time is up; what is missing then. */
const settle = async (ask) => {
  let missing = ['never asked'];
  const isComplete = async () => {
    missing = await Promise.resolve(ask()).catch((error) => [error.message]);
    return missing.length === 0;
  };
  await until('settled', isComplete, { timeoutMs: SETTLE_MS, everyMs: 1_000 }).catch(() => {});
  return missing;
};

const histories = await startHistories();
const system = new System({ ingests: 2, workers: 2, queue: options.queue, histories });
await runDrill(system, () => run(system, histories));
