// A rebuild of a log of a million events with concurrent appends and searches: each alone, then together.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cli, createKey } from '../../tools/dev/command-line.mjs';
import { apiClient } from '../../tools/shared/api.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { machine, onInstallation } from '../measuring.mjs';
import { quantile } from '../statistics.mjs';
import { fill, sampleSession } from './fill.mjs';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
/** Clients that append one message after the other, and one that searches. */
const WRITERS = 4;

/** @param {{ seconds: number }} options */
export const run = ({ seconds }) => onInstallation((installation) => measureAll(installation, seconds));

const measureAll = async (installation, seconds) => {
  const { database, ownerEnv, url } = installation;
  const api = apiClient({ url, key: (await createKey(ownerEnv, 'bench')).apiKey });
  const memory = await api.post('/memory/memories', {
    name: 'rebuild',
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
  });
  await sampleSession(api, memory.id);
  const head = await step(
    'log',
    () => fill(database, { memoryId: memory.id, events: EVENTS }),
    (position) => `${position.toLocaleString('en-US')} events`,
  );
  const load = () => new Load(api, memory);
  const calm = await step(
    'calm',
    async () => {
      const running = load();
      await sleep(seconds * 1000);
      return running.end();
    },
    describeLoad,
  );
  const results = [];
  for (const name of ['everything is missing', 'everything is there']) {
    const running = load();
    const started = performance.now();
    let took = 0;
    try {
      await step(
        `rebuild (${name})`,
        () => rebuild(ownerEnv),
        ({ events }) => `${events.toLocaleString('en-US')} of them change projections`,
      );
      took = (performance.now() - started) / 1000;
    } finally {
      results.push({ name, took, load: await running.end() });
    }
  }
  say(`\n| | events of the log | seconds | events/s | appends/s | p50 | p99 | longest | refused | searches/s |`);
  say(`|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|`);
  say(`| no rebuild | | | | ${cells(calm)} |`);
  for (const { name, took, load: beside } of results) {
    const rate = Math.round(head / took).toLocaleString('en-US');
    say(`| rebuild, ${name} | ${head.toLocaleString('en-US')} | ${took.toFixed(1)} | ${rate} | ${cells(beside)} |`);
  }
  say(`\n${machine()}; Postgres: ${installation.settings}`);
};

const rebuild = async (env) => {
  const output = await cli(['rebuild', '--json'], env);
  return JSON.parse(output.split('\n').findLast((line) => line.startsWith('{')) ?? '');
};

/** Appends and searches until told to stop. */
class Load {
  constructor(api, memory) {
    this.ended = false;
    this.times = [];
    this.refused = 0;
    this.searches = 0;
    this.startedAt = performance.now();
    const strategyId = memory.longTermMemoryStrategies[0].id;
    const namespace = encodeURIComponent(`/strategies/${strategyId}/actors/sample`);
    this.loops = Array.from({ length: WRITERS }, () => {
      const path = `/memory/memories/${memory.id}/actors/bench/sessions/${randomUUID()}/events`;
      const payload = { type: 'CONVERSATIONAL', role: 'assistant', message: 'It rains in Hue.' };
      return this.repeat(async () => {
        const started = performance.now();
        await api.post(path, { payload });
        this.times.push(performance.now() - started);
      });
    });
    this.loops.push(
      this.repeat(async () => {
        await api.post(`/memory/memories/${memory.id}/memory-records:search?namespace=${namespace}`, { query: 'tea' });
        this.searches += 1;
      }),
    );
  }

  async repeat(work) {
    while (!this.ended) {
      await work().catch(async () => {
        this.refused += 1;
        await sleep(20);
      });
    }
  }

  async end() {
    this.ended = true;
    await Promise.all(this.loops);
    const seconds = (performance.now() - this.startedAt) / 1000;
    const at = (share) => quantile(this.times, share) || 0;
    return {
      rate: this.times.length / seconds,
      p50: at(0.5),
      p99: at(0.99),
      longest: at(1),
      refused: this.refused,
      searches: this.searches / seconds,
    };
  }
}

const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const cells = ({ rate, p50, p99, longest, refused, searches }) =>
  [rate.toFixed(0), ms(p50), ms(p99), ms(longest), refused, searches.toFixed(0)].join(' | ');
const describeLoad = ({ rate, p99 }) => `${rate.toFixed(0)} appends/s, p99 ${ms(p99)}`;
