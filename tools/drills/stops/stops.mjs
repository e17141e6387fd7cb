// `npm run stop-drill`: stops agents while several writers send messages at two ingests, and compares the histories that the
// webhooks deliver with what was acknowledged.
import { parseArgs } from 'node:util';
import { build } from '../../dev/build.mjs';
import { createKey, migrate } from '../../dev/command-line.mjs';
import { apiClient } from '../../shared/api.mjs';
import { randomFrom } from '../../shared/random.mjs';
import { script } from '../../shared/script.mjs';
import { say, step } from '../../shared/steps.mjs';
import { until } from '../../shared/wait.mjs';
import { startHistories } from '../../soak/histories.mjs';
import { runDrill, Site } from '../site.mjs';
import { faultsOf, raceWithStop } from './race.mjs';

const USAGE = `Usage: npm run stop-drill -- [--stops 1000] [--at-once 6] [--writers 4] [--seed 1]

Two ingests and a worker on private servers. Each agent is stopped while its writers send messages, half of them at each
ingest; its agent.history webhook and its event 103 must hold every acknowledged message, once and in order.

  --stops    number of agents
  --at-once  agents at a time
  --writers  writers of each agent
  --seed     the same seed draws the same delays of the stops
`;
script(USAGE);

const whole = (name, text, max) => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  process.stderr.write(`--${name} must be a whole number from 1 to ${max}.\n`);
  process.exit(2);
};
const { values } = parseArgs({
  options: {
    stops: { type: 'string', default: '1000' },
    'at-once': { type: 'string', default: '6' },
    writers: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const stops = whole('stops', values.stops, 100_000);
const atOnce = whole('at-once', values['at-once'], 64);
const writers = whole('writers', values.writers, 32);
const seed = whole('seed', values.seed, 2 ** 32 - 1);

/** A stop comes up to this long after the first messages. */
const MAX_DELAY_MS = 80;
const MAX_SHOWN = 20;
/** The rates per tenant are of no interest here. */
const SETTINGS = { RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_BYTES_PER_SECOND: '0' };
const INGESTS = ['ingest-1', 'ingest-2'];

const site = new Site('stop-drill');

const start = async () => {
  const names = [...INGESTS, 'worker-1'];
  await site.begin(names);
  await step('build', build, () => 'compiled');
  const { environment, ownerEnvironment } = await site.provide();
  await step('migrate', (note) => migrate(ownerEnvironment, note));
  await step(
    'services',
    () => Promise.all(names.map((name) => site.startService(name, { ...environment, ...SETTINGS }))),
    () => names.join(' '),
  );
  const { apiKey } = await createKey(ownerEnvironment, 'drill');
  return { apiKey, urls: INGESTS.map((name) => `http://127.0.0.1:${site.ports[name]}`) };
};

/** @returns {Promise<import('./race.mjs').Race[]>} */
const runRaces = async (access, memoryId) => {
  const random = randomFrom(seed);
  const delays = Array.from({ length: stops }, () => random() * MAX_DELAY_MS);
  /** @type {import('./race.mjs').Race[]} */
  const races = [];
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < stops; number = next++) {
      races.push(await raceWithStop({ ...access, memoryId, number, writers, delayMs: delays[number] ?? 0 }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return races;
};

const drill = async (histories) => {
  const { apiKey, urls } = await start();
  const api = apiClient({ url: urls[0] ?? '', key: apiKey });
  const { id: memoryId } = await api.post('/memory/memories', { name: 'stops' });
  for (const format of ['standard', 'agora']) {
    await api.post('/v1/webhook-endpoints', { url: histories.url, format, events: ['agent.history'] });
  }
  const races = await step(
    'stops',
    () => runRaces({ apiKey, urls }, memoryId),
    (done) => `${done.length} agents`,
  );
  await step('histories', () =>
    until('all histories', () => histories.count() >= 2 * races.length, { timeoutMs: 120_000, everyMs: 200 }).catch(
      ({ message }) => say(`  ${message}`),
    ),
  );
  const faults = races.flatMap((race) => faultsOf(race, histories));
  const messages = races.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const deliveries = races.flatMap(({ agentId }) => [
    ...histories.bodiesOf('standard', agentId),
    ...histories.bodiesOf('agora', agentId),
  ]).length;
  for (const fault of faults.slice(0, MAX_SHOWN)) say(`  ${fault}`);
  say(
    `\n${races.length} stops beside ${writers} writers at two ingests: ${messages} messages acknowledged, ` +
      `${races.filter(({ acknowledged }) => acknowledged.length > 0).length} agents with any, ` +
      `${deliveries} histories delivered, ${faults.length} faults.`,
  );
  return faults.length === 0;
};

const histories = await startHistories();
await runDrill(site, () => drill(histories));
