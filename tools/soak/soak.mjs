// `npm run soak`: conversations through several ingests and workers, with a fault every few seconds; then checks that
// every reader returns everything that was acknowledged.
import { parseArgs } from 'node:util';
import { apiClient, path } from '../shared/api.mjs';
import { say, step } from '../shared/steps.mjs';
import { sleep, until } from '../shared/wait.mjs';
import { checkReaders } from './check.mjs';
import { Cluster } from './cluster.mjs';
import { drawFaults } from './faults.mjs';
import { startHistories } from './histories.mjs';
import { Writers } from './writers.mjs';

const USAGE = `Usage: npm run soak -- [--minutes 30] [--fault-seconds 10] [--writers 16] [--pause-ms 50] [--seed 1]

  --minutes        how long conversations go on
  --fault-seconds  time from one fault to the next; 0: no faults
  --writers        writers, each with one conversation at a time
  --pause-ms       a writer's pause between two messages
  --seed           the same seed draws the same faults
`;

const number = (name, text, min, max) => {
  const value = Number(text);
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  process.stderr.write(`--${name} must be a number from ${min} to ${max}.\n`);
  process.exit(2);
};

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    'fault-seconds': { type: 'string', default: '10' },
    writers: { type: 'string', default: '16' },
    'pause-ms': { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const options = {
  minutes: number('minutes', values.minutes, 0.1, 1_440),
  faultSeconds: number('fault-seconds', values['fault-seconds'], 0, 3_600),
  writers: number('writers', values.writers, 1, 256),
  pauseMs: number('pause-ms', values['pause-ms'], 0, 60_000),
  seed: number('seed', values.seed, 0, 2 ** 32 - 1),
};

/** Mulberry32: small, seeded, good enough to draw faults. */
const seeded = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const soak = async (cluster, histories) => {
  await cluster.start();
  const api = apiClient({ url: cluster.ingestUrls[0], key: cluster.apiKey, timeoutMs: 60_000 });
  const memory = await api.post('/memory/memories', {
    name: 'soak',
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC', namespaceTemplate: '/facts/{actorId}' }],
  });
  for (const format of ['standard', 'agora']) await api.post('/v1/webhook-endpoints', { url: histories.url, format });

  const writers = new Writers({
    urls: cluster.ingestUrls,
    apiKey: cluster.apiKey,
    memoryId: memory.id,
    count: options.writers,
    pauseMs: options.pauseMs,
  });
  const faults = [];
  const end = Date.now() + options.minutes * 60_000;
  const working = writers.run();
  await step(
    'soak',
    async (note) => {
      const drawn = drawFaults(seeded(options.seed), cluster.names);
      while (Date.now() < end) {
        await sleep(Math.min(options.faultSeconds * 1_000 || 1_000, end - Date.now()));
        if (options.faultSeconds > 0 && Date.now() < end) faults.push(await inflict(cluster, drawn.next().value));
        note(`${writers.acknowledged} messages, ${faults.length} faults, last: ${faults.at(-1)?.name ?? 'none'}`);
      }
      writers.end();
      await working;
    },
    () => `${writers.acknowledged} messages acknowledged, ${faults.length} faults`,
  );
  await step('settle', () => settled(api, memory.id, histories, writers.conversations));
  const missing = await step(
    'check',
    () => checkReaders({ api, histories, conversations: writers.conversations }),
    () => `${writers.conversations.length} conversations`,
  );
  return report(writers, faults, missing);
};

const inflict = async (cluster, { name, service, run }) => {
  const from = Date.now();
  await run(cluster);
  return { name, service, from, to: Date.now() };
};

/** Waits until extraction and webhooks have caught up. The check reports what is still missing then. */
const settled = async (api, memoryId, histories, conversations) => {
  const expected = 2 * conversations.filter(({ stopped }) => stopped).length;
  const done = async () =>
    histories.count() >= expected && (await api.get(path`/v1/memories/${memoryId}/extraction`)).caughtUp;
  await until('extraction and webhooks', done, { timeoutMs: 300_000, everyMs: 1_000 }).catch(({ message }) =>
    say(message),
  );
};

/** How long after a Postgres outage its effects can last. */
const RECOVERY_MS = 5_000;

const report = (writers, faults, missing) => {
  const outages = writers.clients.flatMap((client) => client.outages);
  const down = faults.filter(({ name }) => name === 'kill postgres');
  const excused = ({ from, to }) => down.some((fault) => from < fault.to + RECOVERY_MS && to > fault.from);
  const counted = outages.filter((outage) => !excused(outage));
  const longest = Math.max(0, ...counted.map(({ unavailableMs }) => unavailableMs));

  const byName = {};
  for (const fault of faults) (byName[fault.name] ??= []).push(fault);
  say('\n| fault | times | longest a writer waited for an answer, s |');
  say('|---|---|---|');
  for (const [name, list] of Object.entries(byName).sort()) {
    const felt = outages.filter(({ from, to }) => list.some((fault) => from <= fault.to && to >= fault.from));
    say(`| ${name} | ${list.length} | ${seconds(Math.max(0, ...felt.map(({ from, to }) => to - from)))} |`);
  }
  const answers = new Map();
  for (const client of writers.clients) {
    for (const [status, count] of client.answers) answers.set(status, (answers.get(status) ?? 0) + count);
  }
  const counts = [...answers].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status || 'no answer'}`);
  say(`\nAnswers: ${counts.join(', ')}.`);
  say(`Longest run of 503 answers to one writer while Postgres was up: ${seconds(longest)} s, wanted at most 2.`);
  const surprises = [...writers.surprises, ...writers.clients.flatMap(({ failures }) => failures)];
  for (const text of surprises.slice(0, 10)) say(`Unexpected answer: ${text}`);
  let wrong = surprises.length + (longest > 2_000 ? 1 : 0);
  for (const [reader, list] of Object.entries(missing)) {
    wrong += list.length;
    say(
      `Missing or wrong in ${reader}: ${list.length}${list
        .slice(0, 5)
        .map((text) => `\n  ${text}`)
        .join('')}`,
    );
  }
  return wrong === 0;
};

const seconds = (ms) => (ms / 1_000).toFixed(1);

const cluster = new Cluster({ ingests: 2, workers: 3 });
const histories = await startHistories();
const interrupted = new Promise((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
});
try {
  process.exitCode = (await Promise.race([soak(cluster, histories), interrupted])) ? 0 : 1;
} catch (error) {
  say(`\n${error.stack}`);
  process.exitCode = 1;
} finally {
  await cluster.stop();
  await histories.close();
  if (process.exitCode === 0) cluster.removeData();
  else say(`Logs: ${cluster.system.logs}`);
}
process.exit();
