// How long a tenant's searches and appends take beside each of another tenant's loads, against calm ones of the same round.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createKey } from '../../tools/dev/command-line.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { until } from '../../tools/shared/wait.mjs';
import { workspaceRoot } from '../../tools/shared/workspace.mjs';
import { machine, onInstallation } from '../measuring.mjs';
import { memoryOfTenant, sessionPath, userTurn } from '../one-session.mjs';
import { median, quantile } from '../statistics.mjs';
import { CONTROLS, LOADS } from './loads.mjs';
import { sentence } from './texts.mjs';

const NAMESPACE = '/facts/ada';
/** Turns and records of both tenants' memories. */
const SIZES = { victim: { turns: 2_000, records: 500 }, enemy: { turns: 20_000, records: 5_000 } };
const PER_BATCH = 500;
/** Pause between two requests of the tenant that is measured: it is far below its fair share. */
const PAUSE_MS = 25;
const WANTED = 2;
/** What the loads are compared with: a tenant that is held to one core cannot do less. */
const [CONTROL = ''] = Object.keys(CONTROLS);
/** Requests per second of the tenant that exceeds its limit. */
const LIMIT = 1;

/** @param {{ rounds: number, seconds: number, warmup: number, load?: string }} options load: part of a load's name */
export const run = async ({ rounds, seconds, warmup, load = '' }) => {
  const loads = Object.keys(LOADS).filter((name) => name.includes(load));
  if (loads.length === 0) throw new Error(`--load must be part of one of: ${Object.keys(LOADS).join('; ')}.`);
  warnOfAutogroups();
  await onInstallation(
    (installation) => measureAll(installation, { rounds, seconds: Math.max(seconds, 2), warmup, loads }),
    // Default settings: the limits per tenant are part of what protects its neighbours.
    { rateLimits: true },
  );
};

/**
 * With it, Linux shares the CPU among sessions, and each connection of Postgres is a session of its own: ten busy connections
 * take ten times the CPU of all threads of ingest, whatever their priorities are.
 */
const warnOfAutogroups = () => {
  const file = '/proc/sys/kernel/sched_autogroup_enabled';
  const isOn = existsSync(file) && readFileSync(file, 'utf8').trim() === '1';
  if (isOn)
    say('Set kernel.sched_autogroup_enabled to 0: Postgres takes the CPU from ingest as it would not in containers.');
};

const measureAll = async (installation, { rounds, seconds, warmup, loads }) => {
  const { ownerEnv, url, database, databaseUrl } = installation;
  const victim = await memoriesOfTenant(installation, installation.apiKey);
  const keys = Object.fromEntries(
    await Promise.all(['enemy', 'limited'].map(async (name) => [name, (await createKey(ownerEnv, name)).apiKey])),
  );
  const enemy = await memoriesOfTenant(installation, keys.enemy);
  await database.query(`update tenants set requests_per_second = $1 where name = 'limited'`, [LIMIT]);
  await step('data', () => Promise.all([fill(victim.searched, SIZES.victim), fill(enemy.searched, SIZES.enemy)]));
  if (installation.env.EMBEDDINGS === 'local') await step('vectors', () => embedded(database));
  if (warmup > 0) await measure(victim, warmup);
  /** @type {Record<string, object[]>} */
  const results = Object.fromEntries([...Object.keys(CONTROLS), ...loads].map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, measured] of Object.entries(results)) {
      // What an earlier load left to the worker must not slow the calm side.
      await installation.settled();
      const calm = await measure(victim, seconds);
      const key = name === 'requests over the limit' ? keys.limited : keys.enemy;
      const memories = [enemy.searched.memoryId, enemy.appended.memoryId];
      const load = attack([name, url, key, ...memories, NAMESPACE, String(seconds + 1.5)], databaseUrl);
      await pause(1_000);
      const beside = await step(`round ${round}`, () => measure(victim, seconds), describe(name, calm));
      say(`  answers to the load: ${await load}`);
      measured.push({ calm, beside });
      await pause(1_000);
    }
  }
  report(results);
};

/**
 * Memories of one tenant: one with strategies, which is appended to, and one without, which is filled and searched. Records
 * of 22,000 filled turns would be extracted and embedded for minutes, while the calm side is measured.
 */
const memoriesOfTenant = async (installation, key) => {
  const appended = await memoryOfTenant(installation, key);
  const { id: memoryId } = await appended.api.post('/memory/memories', { name: 'filled' });
  return { appended, searched: { api: appended.api, memoryId } };
};

const fill = async (memory, { turns, records }) => {
  const { api, memoryId } = memory;
  for (let from = 0; from < turns; from += PER_BATCH) {
    const events = Array.from({ length: PER_BATCH }, () => userTurn(sentence(150)));
    await api.post(sessionPath(memory, `fill-${from}`), { events });
  }
  for (let from = 0; from < records; from += PER_BATCH) {
    const memoryRecords = Array.from({ length: PER_BATCH }, () => sentence(100));
    const path = `/memory/memories/${memoryId}/memory-records:insert-directly?namespace=${encodeURIComponent(NAMESPACE)}`;
    await api.post(path, { memoryRecords });
  }
};

/** Of the records that are searched. The worker takes minutes of CPU for them, which would slow what is measured first. */
const embedded = (database) =>
  until(
    'vectors of the records',
    async () => {
      const { rows } = await database.query(
        `select not exists (
           select from records r where r.namespace = $1
             and not exists (select from record_vectors v where v.record_id = r.record_id and v.tenant_id = r.tenant_id)
         ) as done`,
        [NAMESPACE],
      );
      return rows[0].done;
    },
    { timeoutMs: 900_000, everyMs: 500 },
  );

/** Resolves to the counts that the load prints. */
const attack = (args, databaseUrl) =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, DATABASE_URL: databaseUrl };
    const child = spawn(process.execPath, [join(workspaceRoot, 'bench', 'neighbour', 'loads.mjs'), ...args], { env });
    let said = '';
    child.stdout.on('data', (text) => (said += text));
    child.stderr.on('data', (text) => (said += text));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(said.trim()) : reject(new Error(`${code}: ${said}`))));
  });

/** Milliseconds of every search and every append. */
const measure = async ({ appended, searched }, seconds) => {
  const { api, memoryId } = searched;
  const end = performance.now() + seconds * 1_000;
  const each = async (send) => {
    const times = [];
    while (performance.now() < end) {
      const started = performance.now();
      await send();
      times.push(performance.now() - started);
      await pause(PAUSE_MS);
    }
    return times;
  };
  const search = `/memory/memories/${memoryId}/memory-records:search?namespace=${encodeURIComponent(NAMESPACE)}`;
  const [searches, appends] = await Promise.all([
    each(() => api.post(search, { query: sentence(40), limit: 5 })),
    each(() => api.post(sessionPath(appended, 'measured'), userTurn('It is a fine day.'))),
  ]);
  return { searches, appends };
};

const KINDS = ['searches', 'appends'];

const describe = (name, calm) => (beside) =>
  `${name}: ${KINDS.map((kind) => `${kind} p50 ${ms(median(calm[kind]))} → ${ms(median(beside[kind]))}, p99 ${ms(quantile(calm[kind], 0.99))} → ${ms(quantile(beside[kind], 0.99))} ms`).join('; ')}`;

const report = (results) => {
  const header = KINDS.flatMap((kind) => [`${kind} p50, p99 calm → beside`, 'ratio of p99', 'to control']);
  say(`\n| load | ${header.join(' | ')} | |`);
  say(`|${'---|'.repeat(header.length + 2)}`);
  for (const [name, rounds] of Object.entries(results)) {
    const ratios = KINDS.map((kind) => ratioOf(rounds, kind));
    const toControl = KINDS.map((kind, at) => ratios[at] / ratioOf(results[CONTROL], kind));
    const cells = KINDS.map((kind, at) => {
      const text = [0.5, 0.99].map(
        (share) => `${ms(of(rounds, 'calm', kind, share))} → ${ms(of(rounds, 'beside', kind, share))}`,
      );
      return `${text.join(', ')} ms | ${ratios[at].toFixed(2)} | ${toControl[at].toFixed(2)}`;
    });
    say(`| ${name} | ${cells.join(' | ')} | ${name in CONTROLS ? '' : verdict(ratios, toControl)} |`);
  }
  say(`\nWanted: ratios of at most ${WANTED}, or not above the control's. ${machine()}`);
};

const verdict = (ratios, toControl) => {
  if (ratios.every((ratio) => ratio <= WANTED)) return 'reached';
  if (ratios.every((ratio, at) => ratio <= WANTED || toControl[at] <= 1)) return 'as the control';
  process.exitCode = 1;
  return 'NOT REACHED';
};

/** A quantile over all rounds. */
const of = (rounds, side, kind, share) =>
  quantile(
    rounds.flatMap((round) => round[side][kind]),
    share,
  );

const ratioOf = (rounds, kind) => of(rounds, 'beside', kind, 0.99) / of(rounds, 'calm', kind, 0.99);

const ms = (value) => value.toFixed(1);
