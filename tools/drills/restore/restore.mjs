// `npm run restore-drill`: backs up a large log, damages it, restores it to the time before, and compares every table.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from 'nats';
import pg from 'pg';
import { fill, sampleSession } from '../../../bench/rebuild/fill.mjs';
import { build } from '../../dev/build.mjs';
import { cli, createKey, migrate } from '../../dev/command-line.mjs';
import { startNats, natsUrl } from '../../servers/nats.mjs';
import { ensureDatabase, serviceUrlOf } from '../../servers/postgres.mjs';
import { allEvents, apiClient, path } from '../../shared/api.mjs';
import { stop } from '../../shared/background.mjs';
import { script } from '../../shared/script.mjs';
import { say, step } from '../../shared/steps.mjs';
import { until } from '../../shared/wait.mjs';
import { program } from '../programs.mjs';
import { runDrill, Site } from '../site.mjs';
import { differences, digestsOf } from './digests.mjs';
import { ArchivingServer, sizeOf } from './server.mjs';

const USAGE = `Usage: npm run restore-drill -- [--events 1000000]

Fills a log, takes a base backup and archives WAL while it grows, deletes a memory "by accident", restores to the time
before, and compares every table with what it was then. Also exports one memory and imports it into the restored
installation. Needs about 8 GB of disk per million events. As root on Debian, missing programs are installed.

  --events  size of the log: at least 1000
`;
script(USAGE);
const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } });
const EVENTS = Number(values.events);
if (!Number.isInteger(EVENTS) || EVENTS < 1_000) throw new Error('--events must be a whole number from 1000.');

const DATABASE = 'turnkeeper';
/** Events appended through the API before and after the time of the restore. */
const APPENDS = 300;
const site = new Site('restore-drill');
const password = randomBytes(16).toString('hex');
const times = [];

/** A step whose time goes into the report. */
const timed = async (name, what, work, describe) => {
  const started = performance.now();
  const result = await step(name, work, describe);
  times.push([what, (performance.now() - started) / 1_000, describe?.(result) ?? '']);
  return result;
};

const environmentOn = (server) => {
  const owner = server.url(DATABASE);
  const serviceUrl = serviceUrlOf(owner, password);
  const urls = { DATABASE_URL: serviceUrl, NATS_URL: natsUrl(site.ports.nats, password), QUEUE_URL: serviceUrl };
  return { ...site.environmentFor(urls), MIGRATION_DATABASE_URL: owner };
};

const startServices = async (server) => {
  const environment = { ...environmentOn(server), MIGRATION_DATABASE_URL: '' };
  await step('services', () =>
    Promise.all(['ingest-1', 'worker-1'].map((name) => site.startService(name, environment))),
  );
};

const stopServices = () =>
  Promise.all([...site.services.values()].map((service) => stop(service, { deadlineMs: 60_000 })));

const turnkeeper = (server, ...args) => cli(args, environmentOn(server));

const drill = async () => {
  await step('build', build, () => 'compiled');
  await site.begin(['original', 'restored', 'nats', 'ingest-1', 'worker-1']);
  const original = new ArchivingServer(site, { name: 'original', port: site.ports.original, password });
  await step(
    'postgres',
    () => original.create(),
    () => 'archives its WAL',
  );
  await startNats({
    program: await program('nats-server'),
    dir: site.system.folder,
    port: site.ports.nats,
    password,
    logFile: join(site.system.logs, 'nats.log'),
    record: site.system.record,
  });
  await ensureDatabase(original.adminUrl, DATABASE);
  const environment = environmentOn(original);
  await step('migrate', (note) => migrate(environment, note));
  const { apiKey } = await createKey(environment, 'drill');
  await startServices(original);
  const api = apiClient({ url: `http://127.0.0.1:${site.ports['ingest-1']}`, key: apiKey, timeoutMs: 600_000 });

  await fillMemory(api, original, 'before-backup', 0.9);
  const base = await timed(
    'base backup',
    'base backup',
    () => original.baseBackup(),
    (folder) => megabytes(sizeOf(folder)),
  );
  await fillMemory(api, original, 'after-backup', 0.1);
  await timed(
    'rebuild',
    'rebuild of the projections',
    () => turnkeeper(original, 'rebuild'),
    () => 'projections of all events',
  );
  const memory = await api.post('/memory/memories', { name: 'live', longTermMemoryStrategies: [STRATEGY] });
  await appendTo(api, memory, 1);
  const exported = await exportOf(apiKey, memory);
  await stopServices();

  const [{ time, events }] = await original.query(
    'select clock_timestamp()::text as time, (select count(*) from events)::int as events',
    DATABASE,
  );
  const then = await timed('digests', 'digests of all tables', () => digestsOf(original.url(DATABASE)), tablesOf);

  await startServices(original);
  await appendTo(api, memory, APPENDS + 1);
  await api.remove(path`/memory/memories/${memory.id}`);
  await until('the deletion', async () => (await countOf(original, memory)) === 0, { timeoutMs: 300_000 });
  await stopServices();
  await timed(
    'archive',
    'rest of the archive',
    () => original.archived(),
    () => megabytes(sizeOf(original.archive)),
  );
  const damaged = differences(then, await digestsOf(original.url(DATABASE)));
  if (damaged.length === 0) throw new Error('The accident changed nothing, so the comparison would prove nothing.');

  const restored = await timed(
    'restore',
    'restore: copy of the base backup, replay of the WAL',
    () => original.restoredTo(time, { base, name: 'restored', port: site.ports.restored }),
    () => `to ${time}`,
  );
  const differing = differences(then, await digestsOf(restored.url(DATABASE)));
  await dropStreams();
  await timed(
    'migrate',
    '`turnkeeper migrate`',
    () => turnkeeper(restored, 'migrate'),
    () => 'nothing to do',
  );
  await timed(
    'log audit',
    '`turnkeeper log audit`',
    () => turnkeeper(restored, 'log', 'audit'),
    () => 'no gaps or duplicates',
  );
  await timed(
    'check',
    '`turnkeeper rebuild --check`',
    () => turnkeeper(restored, 'rebuild', '--check'),
    () => 'equal',
  );

  await startServices(restored);
  const faults = await readBack(api, memory);
  await appendTo(api, memory, APPENDS + 1);
  faults.push(...(await importFaults(api, apiKey, exported, memory)));
  await stopServices();
  return report({ events, differing, damaged, faults });
};

const STRATEGY = { name: 'facts', type: 'SEMANTIC' };

/** A memory with a share of the events. */
const fillMemory = async (api, server, name, share) => {
  const memory = await api.post('/memory/memories', { name, longTermMemoryStrategies: [STRATEGY] });
  await sampleSession(api, memory.id);
  const database = new pg.Client({ connectionString: server.url(DATABASE) });
  await database.connect();
  try {
    await step(
      'events',
      () => fill(database, { memoryId: memory.id, events: EVENTS * share }),
      (position) => `${number(position)} ${name}`,
    );
  } finally {
    await database.end();
  }
};

const placeOf = ({ id }) => path`/memory/memories/${id}/actors/ada/sessions/live/events`;

const appendTo = async (api, memory, first) => {
  for (let turn = first; turn < first + APPENDS; turn += 1) {
    const role = turn % 2 === 1 ? 'user' : 'assistant';
    const { sequence } = await api.post(placeOf(memory), {
      payload: { type: 'CONVERSATIONAL', role, message: `Turn ${turn}.` },
    });
    if (sequence !== turn) throw new Error(`Turn ${turn} has the sequence ${sequence}.`);
  }
};

const sessionOf = async (api, memory) => {
  const events = await allEvents(api, placeOf(memory));
  return events.map(({ sequence, payload }) => `${sequence} ${payload.role} ${payload.message}`);
};

const readBack = async (api, memory) => {
  const wanted = Array.from(
    { length: APPENDS },
    (_, index) => `${index + 1} ${index % 2 === 0 ? 'user' : 'assistant'} Turn ${index + 1}.`,
  );
  const found = await sessionOf(api, memory);
  return found.join('\n') === wanted.join('\n') ? [] : [`the session has ${found.length} turns`];
};

const countOf = async (server, { id }) => {
  const [{ count }] = await server.query(
    `select count(*)::int from events where memory_id = '${id}' and session_key is not null`,
    DATABASE,
  );
  return count;
};

const exportUrl = (place) => `http://127.0.0.1:${site.ports['ingest-1']}${place}`;

const exportOf = async (apiKey, { id }) => {
  const response = await fetch(exportUrl(path`/v1/memories/${id}/export`), {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) throw new Error(`export: ${response.status}`);
  return response.text();
};

/** Imports the export and compares the copy's session with the original's at the time of the export. */
const importFaults = async (api, apiKey, exported, memory) => {
  const response = await fetch(exportUrl('/v1/memories:import?ids=new'), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-ndjson' },
    body: exported,
  });
  const answer = await response.json();
  if (!response.ok) return [`import: ${response.status} ${JSON.stringify(answer)}`];
  const copy = await sessionOf(api, { id: answer.memoryId });
  const source = (await sessionOf(api, memory)).slice(0, APPENDS);
  return copy.join('\n') === source.join('\n') ? [] : [`the imported session has ${copy.length} turns`];
};

/** The stream holds references to events that the restored log does not have. */
const dropStreams = async () => {
  const nats = await connect({ servers: `127.0.0.1:${site.ports.nats}`, user: 'turnkeeper', pass: password });
  const { streams } = await nats.jetstreamManager();
  for await (const { config } of streams.list()) await streams.delete(config.name);
  await nats.close();
};

const report = ({ events, differing, damaged, faults }) => {
  say(`\n| step, with ${number(events)} events | seconds | |`);
  say('|---|--:|---|');
  for (const [what, seconds, detail] of times) say(`| ${what} | ${seconds.toFixed(1)} | ${detail} |`);
  say(`\nTables that the accident changed: ${damaged.length}.`);
  say(`Tables that differ after the restore: ${differing.length === 0 ? 'none' : differing.join(', ')}.`);
  for (const fault of faults) say(`Wrong after the restore: ${fault}`);
  return differing.length === 0 && faults.length === 0;
};

const number = (value) => Number(value).toLocaleString('en-US');
const megabytes = (bytes) => `${number(Math.round(bytes / 1_000_000))} MB`;
const tablesOf = (digests) => `${Object.keys(digests).length} tables`;

await runDrill(site, drill);
