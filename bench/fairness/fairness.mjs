// How soon a tenant's session is read: alone, and next to a tenant with 100,000 waiting sessions.
import { createKey } from '../../tools/dev/command-line.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { inTurns, machine, onInstallation } from '../measuring.mjs';
import { extractOneSession, memoryOfTenant } from '../one-session.mjs';
import { median, quantile } from '../statistics.mjs';

const BACKLOG = 100_000;
/** Keys of the other tenant's sessions that the log does not assign here. */
const FIRST_KEY = 1_000_000_000;
const SIDES = ['alone', 'beside 100,000'];

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = (options) => onInstallation((installation) => measureAll(installation, options));

const measureAll = async (installation, { rounds, seconds, warmup }) => {
  const { database, env } = installation;
  const small = await memoryOfTenant(installation, installation.apiKey);
  const large = await memoryOfTenant(installation, (await createKey(env, 'crowd')).apiKey);
  await step(
    'backlog',
    () => fillBacklog(database, large),
    () => `${BACKLOG.toLocaleString('en-US')} sessions`,
  );
  if (warmup > 0) await measure(small, warmup);
  const measureSide = async (side) => {
    await wakeBacklog(database, large, side !== SIDES[0]);
    return measure(small, seconds);
  };
  const times = await inTurns(SIDES, rounds, measureSide, (values) => `${ms(median(values))} ms`);
  report(times, await drained(database, large));
  say(`\n${machine()}; Postgres: ${installation.settings}`);
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
const measure = async (memory, seconds) => {
  const end = performance.now() + seconds * 1_000;
  const times = [];
  while (performance.now() < end) times.push(await extractOneSession(memory));
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
