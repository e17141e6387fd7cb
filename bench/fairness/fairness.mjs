// How soon a tenant's session is read: alone, and next to a tenant with 100,000 waiting sessions.
import { cpus } from 'node:os';
import { createKey } from '../../tools/dev/command-line.mjs';
import { apiClient } from '../../tools/shared/api.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { until } from '../../tools/shared/wait.mjs';
import { Installation } from '../append/installation.mjs';
import { runAndStop } from '../stoppable.mjs';
import { median, quantile } from '../statistics.mjs';

const BACKLOG = 100_000;
/** Keys of the other tenant's sessions that the log does not assign here. */
const FIRST_KEY = 1_000_000_000;
const SIDES = ['alone', 'beside 100,000'];

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = async ({ rounds, seconds, warmup }) => {
  const installation = new Installation();
  await runAndStop(installation, () => measureAll(installation, { rounds, seconds, warmup }));
};

const measureAll = async (installation, { rounds, seconds, warmup }) => {
  await installation.start();
  const { database, env } = installation;
  const small = await tenantOf(installation, installation.apiKey);
  const large = await tenantOf(installation, (await createKey(env, 'crowd')).apiKey);
  await step(
    'backlog',
    () => fillBacklog(database, large),
    () => `${BACKLOG.toLocaleString('en-US')} sessions`,
  );
  /** @type {Record<string, any[]>} */
  const times = { [SIDES[0]]: [], [SIDES[1]]: [] };
  if (warmup > 0) await measure(database, small, warmup);
  for (let round = 1; round <= rounds; round += 1) {
    for (const side of SIDES) {
      await wakeBacklog(database, large, side !== SIDES[0]);
      const measured = await step(
        `round ${round}`,
        () => measure(database, small, seconds),
        (values) => `${side}: ${ms(median(values))} ms`,
      );
      times[side].push(measured);
    }
  }
  report(times, await drained(database, large));
  say(
    `\n${cpus().length} cores (${cpus()[0].model.trim()}), Node ${process.version}; Postgres: ${installation.settings}`,
  );
};

const tenantOf = async ({ url }, key) => {
  const api = apiClient({ url, key });
  const memory = await api.post('/memory/memories', {
    name: 'bench',
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
  });
  return { api, memoryId: memory.id, strategyId: memory.longTermMemoryStrategies[0].id };
};

const fillBacklog = async (database, { memoryId, strategyId }) => {
  await database.query(
    `insert into extraction_states
       (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, newest_sequence, status)
     select ${FIRST_KEY} + n, st.strategy_id, st.tenant_id, st.memory_id, 'crowd', 'thread ' || n, 1, 'idle'
       from strategies st, generate_series(1, ${BACKLOG}) n where st.memory_id = $1 and st.strategy_id = $2`,
    [memoryId, strategyId],
  );
  await database.query('vacuum analyze extraction_states');
};

/** Backdates the rest of the backlog by an hour, or makes it not due at all. */
const wakeBacklog = async (database, { memoryId }, awake) => {
  await database.query(
    `update extraction_states set status = $2, due_at = case when $2 = 'waiting' then now() - interval '1 hour' end
      where memory_id = $1 and watermark = 0`,
    [memoryId, awake ? 'waiting' : 'idle'],
  );
  await database.query('vacuum analyze extraction_states');
};

/** Sessions in sequence; milliseconds from the request to the committed extraction of each. */
const measure = async (database, { api, memoryId, strategyId }, seconds) => {
  const end = performance.now() + seconds * 1_000;
  const times = [];
  for (let n = 0; performance.now() < end; n += 1) {
    const sessionId = `${process.hrtime.bigint()}`;
    const payload = { type: 'CONVERSATIONAL', role: 'user', message: 'I moved to Hue last year.' };
    await api.post(`/memory/memories/${memoryId}/actors/ada/sessions/${sessionId}/events`, { payload });
    const started = performance.now();
    const query = `actorId=ada&sessionId=${sessionId}&longTermMemoryStrategyId=${strategyId}`;
    await api.post(`/memory/memories/${memoryId}/memory-records:generate-from-session?${query}`);
    await until(
      'the extraction',
      async () => {
        const { rows } = await database.query(
          'select 1 from extraction_states where memory_id = $1 and session_id = $2 and watermark > 0',
          [memoryId, sessionId],
        );
        return rows.length > 0;
      },
      { timeoutMs: 60_000, everyMs: 5 },
    );
    times.push(performance.now() - started);
  }
  return times;
};

const drained = async (database, { memoryId }) => {
  const { rows } = await database.query(
    'select count(*) as n from extraction_states where memory_id = $1 and watermark > 0',
    [memoryId],
  );
  return Number(rows[0].n);
};

const report = (times, done) => {
  say('\n| side | sessions | p50 ms, median (min-max) | p95 ms |');
  say('|---|---|---|---|');
  for (const side of SIDES) {
    const middles = times[side].map(median);
    const range = `${ms(Math.min(...middles))}-${ms(Math.max(...middles))}`;
    const all = times[side].flat();
    say(`| ${side} | ${all.length} | ${ms(median(middles))} (${range}) | ${ms(quantile(all, 0.95))} |`);
  }
  const ratios = times[SIDES[1]].map((values, index) => median(values) / median(times[SIDES[0]][index]));
  say(`\nTo the extraction, beside against alone: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')};`);
  const verdict = median(ratios) < 2 ? 'reached' : 'NOT REACHED';
  say(`median ${median(ratios).toFixed(2)}, wanted below 2: ${verdict}. Meanwhile ${done} of the backlog were read.`);
};

const ms = (value) => value.toFixed(0);
