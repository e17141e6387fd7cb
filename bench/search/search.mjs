// How long searches take in a log of a million events, inside the process that serves them.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { randomFrom } from '../../tools/shared/random.mjs';
import { runAndStop } from '../../tools/shared/run-and-stop.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { machine } from '../measuring.mjs';
import { conversationsOf } from '../recall/formats.mjs';
import { quantile } from '../statistics.mjs';
import { PrivatePostgres } from '../window/private-postgres.mjs';
import { fill } from './fill.mjs';
import { hostileQueries } from './hostile-queries.mjs';
import { Plans, reportPlans } from './plans.mjs';
import { embedders, fillRecords, fillVectors, namespaceOf } from './records.mjs';
import { textsOf } from './texts.mjs';

const number = (value) => value.toLocaleString('en-US');

const EVENTS = 1_000_000;
/** With `--quick`: enough for the actors that are searched, and a few more. */
const FEW_EVENTS = 120_000;
/** Turns of the actors that are searched; every further actor has 600. */
const TURNS = [600, 10_000, 100_000, 600];
/** Records of the namespaces that are searched, and the actor whose turns those that were extracted cite. */
const RECORDS = [
  { count: 1_000, actor: 1 },
  { count: 10_000, actor: 1 },
  { count: 50_000, actor: 2 },
];
const SEARCHES = 200;
/** Enough for everything small to be in memory. */
const WARM_UP = 60;
const LIMIT = 10;
/** Searches of each kind by each hostile query. */
const HOSTILE = 5;

/** Searches whose whole plans `--plans` writes: those of the most turns and records. */
const PLANNED = [
  `${number(TURNS[2])} turns of an actor`,
  `${number(RECORDS[2].count)} records, extracted from ${number(TURNS[2])} turns`,
];

/** @param {{ file: string | undefined, rounds: number, quick: boolean, records: boolean, plans: string | undefined }} options */
export const run = async ({ file, rounds, quick, records, plans }) => {
  const postgres = new PrivatePostgres('bench-search');
  await runAndStop(postgres, async () => {
    await postgres.start();
    const database = await postgres.database('search');
    if (records) return measureRecords(database, readTexts(file), rounds);
    const filled = await fillAll(database, file, quick ? FEW_EVENTS : EVENTS);
    await measureAll(filled, rounds, plans);
  });
};

const readTexts = (file) =>
  textsOf(file === undefined ? undefined : conversationsOf(JSON.parse(readFileSync(file, 'utf8'))));

const fillAll = async (database, file, events) => {
  const { createEventStore, migrateDatabase } = await import('@turnkeeper/postgres');
  const texts = readTexts(file);
  await migrateDatabase(database);
  const store = createEventStore({ databaseUrl: database, readers: 1 });
  try {
    const scope = await step(
      'turns',
      (note) => fill({ database, store, texts, events, sizes: TURNS, note }),
      () => `${events.toLocaleString('en-US')} events, indexed`,
    );
    for (const { count, actor } of RECORDS) {
      await step('records', async () => {
        await fillRecords({ database, scope, texts, count });
        await fillRecords({ database, scope, texts, count, actor });
      });
    }
    return { database, scope, file, events };
  } finally {
    await store.close();
  }
};

/** Searches of records that cite no turns, by words alone and with vectors. */
const measureRecords = async (database, texts, rounds) => {
  const { migrateDatabase } = await import('@turnkeeper/postgres');
  await migrateDatabase(database);
  const scope = { tenantId: randomUUID(), memoryId: randomUUID() };
  for (const { count } of RECORDS) await step('records', () => fillRecords({ database, scope, texts, count }));
  await step('vectors', () => fillVectors(database));
  await withStores(database, async ({ recordsBy, meaning }) => {
    const searches = {};
    for (const { count } of RECORDS) {
      for (const [how, records] of Object.entries({ words: recordsBy(), meaning: recordsBy(meaning) }))
        searches[`${number(count)} records by ${how}`] = searchOf(records, scope, namespaceOf(count));
    }
    report(await measureInTurns(searches, texts, { rounds, warmUp: 10, count: 60 }), 0);
  });
};

const searchOf = (records, { tenantId, memoryId }, namespace) => {
  const reach = { tenantId, memoryId: null, actorId: null, sessionId: null };
  return (query) => records.execute(reach, memoryId, namespace, { query, limit: LIMIT, scoreThreshold: 0 });
};

const measureAll = async ({ database, scope, file, events }, rounds, page) => {
  const texts = readTexts(file);
  const measured = await withSearches(database, scope, async (searches) => ({
    inTurns: await measureInTurns(searches, texts, { rounds }),
    each: await step('by itself', () => measureEach(searches, texts)),
    hostile: await step('hostile', () => measureHostile(searches, hostileQueries(texts))),
  }));
  report(measured.inTurns, events, measured.each);
  reportHostile(measured.hostile);
  await reportPlans(database);
  const question = texts.question(randomFrom(7));
  await withSearches(database, scope, async (searches, pools) => {
    const plans = new Plans(pools);
    for (const [name, search] of Object.entries(searches)) {
      say(`\n${name}`);
      for (const { statement, scans } of await plans.of(() => search(question))) {
        say(`  ${statement}`);
        for (const scan of scans) say(`    ${scan}`);
      }
    }
    if (page === undefined) return;
    const trees = {};
    for (const name of PLANNED) trees[name] = await plans.treesOf(() => searches[name](question));
    writeFileSync(page, plansPage(trees, events));
  });
};

const plansPage = (trees, events) => {
  const told = new Set();
  const sections = Object.entries(trees).flatMap(([name, statements]) => {
    const others = statements.filter(({ statement }) => !told.has(statement));
    for (const { statement } of others) told.add(statement);
    return ['', `## ${name}`, ...others.flatMap(({ plan }) => ['', '```text', plan, '```'])];
  });
  return [
    '# Plans of searches',
    '',
    'What Postgres does for one question, as `EXPLAIN (ANALYZE, TIMING OFF)` prints it, one plan for each statement, among',
    `${number(events)} events, half of them of the searched memory. Branches that were not executed and sizes of memory are`,
    'left out, long conditions are cut, and statements of the first search are not repeated for the second. The searches run fixed plans',
    '(ADR 0070). Written by `npm run bench -- search --plans FILE`; its texts are in a',
    'made-up language.',
    ...sections,
    '',
  ].join('\n');
};

const withSearches = (database, scope, work) =>
  withStores(database, ({ store, pools, recordsBy }) => {
    const records = recordsBy();
    const searches = {};
    for (const [actor, turns] of TURNS.slice(0, 3).entries()) {
      const options = { limit: LIMIT, scoreThreshold: 0, window: 0 };
      searches[`${turns.toLocaleString('en-US')} turns of an actor`] = (text) =>
        store.turns.search({ ...scope, actorId: String(actor) }, { text, ...options });
    }
    for (const { count, actor } of RECORDS) {
      for (const [how, namespace] of [
        ['inserted', namespaceOf(count)],
        [`extracted from ${TURNS[actor].toLocaleString('en-US')} turns`, namespaceOf(count, actor)],
      ]) {
        searches[`${count.toLocaleString('en-US')} records, ${how}`] = searchOf(records, scope, namespace);
      }
    }
    return work(searches, pools);
  });

/** Opens the stores as the services do, with row-level security. */
const withStores = async (database, work) => {
  const { createDataSource, createEventStore, databaseRoles, PgRecordReader } = await import('@turnkeeper/postgres');
  const { SearchRecords } = await import('@turnkeeper/application');
  const roles = await databaseRoles(database, 'required');
  const store = createEventStore({ databaseUrl: database, readers: 2, roles, embedders, embedTurns: false });
  const source = createDataSource({ url: database, poolSize: 1, roles });
  await source.initialize();
  try {
    // The lookup of the memory runs beside the search.
    /** @type {any} */
    const memories = { find: async () => ({}) };
    const recordsBy = (meaning) =>
      new SearchRecords({ memories, records: new PgRecordReader(source, meaning), turns: store.turns });
    /** @type {any[]} with roles, the data source has a second pool for single tenants */
    const sources = [source, Reflect.get(source, 'tenants')];
    const pools = [...store.pools, ...sources.map(({ driver }) => driver.master)];
    return await work({ store, pools, recordsBy, meaning: store.vectors?.recordMeaning });
  } finally {
    await source.destroy();
    await store.close();
  }
};

/** All kinds in turns, one search at a time: each finds the caches of the CPU and of Postgres filled by the others. */
const measureInTurns = async (searches, texts, { rounds, warmUp = WARM_UP, count = SEARCHES }) => {
  const random = randomFrom(5);
  await ask(searches, texts, random, warmUp);
  cpuOf.clear();
  const times = emptyOf(searches);
  for (let round = 1; round <= rounds; round += 1) {
    const ofRound = await step(`round ${round}`, () => ask(searches, texts, random, count));
    for (const [kind, more] of Object.entries(ofRound)) times[kind].push(...more);
  }
  return times;
};

const emptyOf = (searches) =>
  Object.fromEntries(Object.keys(searches).map((name) => [name, /** @type {number[]} */ ([])]));

/** One kind after the other, as in a service whose callers all ask in one place. */
const measureEach = async (searches, texts) => {
  const random = randomFrom(6);
  const times = {};
  for (const [name, search] of Object.entries(searches)) {
    await ask({ [name]: search }, texts, random, WARM_UP);
    Object.assign(times, await ask({ [name]: search }, texts, random, SEARCHES));
  }
  return times;
};

/** CPU time of this process for each search of a kind, in ms. */
const cpuOf = new Map();

/** Times of `count` questions to each of the searches. */
const ask = async (searches, texts, random, count) => {
  const times = emptyOf(searches);
  const hits = Object.fromEntries(Object.keys(searches).map((name) => [name, 0]));
  for (let turn = 0; turn < count; turn += 1) {
    const question = texts.question(random);
    for (const [name, search] of Object.entries(searches)) {
      const [started, cpu] = [performance.now(), process.cpuUsage()];
      const found = await search(question);
      times[name].push(performance.now() - started);
      const { user, system } = process.cpuUsage(cpu);
      cpuOf.set(name, [...(cpuOf.get(name) ?? []), (user + system) / 1_000]);
      hits[name] += found.length;
    }
  }
  const empty = Object.keys(hits).filter((name) => hits[name] === 0);
  if (empty.length > 0) throw new Error(`nothing found: ${empty.join('; ')}`);
  return times;
};

/** Median times by query, in the order of the searches. */
const measureHostile = async (searches, queries) => {
  const medians = {};
  for (const [name, query] of Object.entries(queries)) {
    medians[name] = [];
    for (const search of Object.values(searches)) {
      const times = [];
      for (let turn = 0; turn < HOSTILE; turn += 1) {
        const started = performance.now();
        await search(query);
        times.push(performance.now() - started);
      }
      medians[name].push(quantile(times, 0.5));
    }
  }
  return medians;
};

const reportHostile = (medians) => {
  say(`\nmedian of ${HOSTILE}, ms; columns as the rows above`);
  for (const [name, times] of Object.entries(medians))
    say(`${name.padEnd(36)}${times.map((time) => time.toFixed(1).padStart(8)).join('')}`);
};

const report = (inTurns, events, each) => {
  const columns = ['p50', 'p95', 'worst', 'CPU', ...(each === undefined ? [] : ['by itself'])];
  say(`\n${'ms, all in turns'.padEnd(44)}${columns.map((column) => column.padStart(column.length + 3)).join('')}`);
  for (const [name, ofName] of Object.entries(inTurns)) {
    const ofEach = each === undefined ? [] : [quantile(each[name], 0.5)];
    const cells = [
      ...[0.5, 0.95, 1].map((share) => quantile(ofName, share)),
      quantile(cpuOf.get(name), 0.5),
      ...ofEach,
    ];
    const padded = cells.map((cell, at) => cell.toFixed(1).padStart(columns[at].length + 3));
    say(`${name.padEnd(44)}${padded.join('')}`);
  }
  say(
    `\n${events.toLocaleString('en-US')} events; ${machine()}; with round trips to Postgres, without HTTP; CPU: median of this process`,
  );
};
