// `npm run soak`: conversations through several ingests and workers, with a fault every few seconds; then checks that
// every reader returns everything that was acknowledged.
import { parseArgs } from 'node:util';
import { answersOf, Conversations, describeAnswers, sayFaults } from '../drills/conversations.mjs';
import { runDrill } from '../drills/site.mjs';
import { randomFrom } from '../shared/random.mjs';
import { script } from '../shared/script.mjs';
import { say, step } from '../shared/steps.mjs';
import { sleep } from '../shared/wait.mjs';
import { Cluster } from './cluster.mjs';
import { drawFaults } from './faults.mjs';
import { startHistories } from './histories.mjs';

const USAGE = `Usage: npm run soak -- [--minutes 30] [--fault-seconds 10] [--writers 16] [--pause-ms 50] [--seed 1]

  --minutes        how long conversations go on
  --fault-seconds  time from one fault to the next; 0: no faults
  --writers        writers, each with one conversation at a time
  --pause-ms       a writer's pause between two messages
  --seed           the same seed draws the same faults
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
    'fault-seconds': { type: 'string', default: '10' },
    writers: { type: 'string', default: '16' },
    'pause-ms': { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
const options = {
  minutes: number('minutes', values.minutes, 0.1, 1_440),
  faultSeconds: number('fault-seconds', values['fault-seconds'], 0, 3_600),
  writers: number('writers', values.writers, 1, 256),
  pauseMs: number('pause-ms', values['pause-ms'], 0, 60_000),
  seed: number('seed', values.seed, 0, 2 ** 32 - 1),
};

const soak = async (cluster, histories) => {
  await cluster.start();
  const conversations = new Conversations({
    urls: cluster.ingestUrls,
    apiKey: cluster.apiKey,
    histories,
    writers: options.writers,
    pauseMs: options.pauseMs,
  });
  await conversations.start();
  const { writers } = conversations;
  const faults = [];
  const end = Date.now() + options.minutes * 60_000;
  const work = async (note) => {
    const drawn = drawFaults(randomFrom(options.seed), cluster.names);
    while (Date.now() < end) {
      await sleep(Math.min(options.faultSeconds * 1_000 || 1_000, end - Date.now()));
      if (options.faultSeconds > 0 && Date.now() < end) faults.push(await inflict(cluster, drawn.next().value));
      note(`${writers.acknowledged} messages, ${faults.length} faults, last: ${faults.at(-1)?.name ?? 'none'}`);
    }
  };
  await step(
    'soak',
    (note) => conversations.during(() => work(note)),
    () => `${writers.acknowledged} messages acknowledged, ${faults.length} faults`,
  );
  return report(writers, faults, await conversations.checkReaders());
};

const inflict = async (cluster, { name, service, run }) => {
  const from = Date.now();
  await run(cluster);
  return { name, service, from, to: Date.now() };
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
  say(`\nAnswers: ${describeAnswers(answersOf(writers.clients))}.`);
  say(`Longest run of 503 answers to one writer while Postgres was up: ${seconds(longest)} s, wanted at most 2.`);
  const surprises = [...writers.surprises, ...writers.clients.flatMap(({ failures }) => failures)];
  for (const text of surprises.slice(0, 10)) say(`Unexpected answer: ${text}`);
  return sayFaults(missing) && surprises.length === 0 && longest <= 2_000;
};

const seconds = (ms) => (ms / 1_000).toFixed(1);

const cluster = new Cluster({ ingests: 2, workers: 3 });
const histories = await startHistories();
await runDrill(cluster, () => soak(cluster, histories));
