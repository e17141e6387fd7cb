// Reads a window and finds an earlier answer, in a log of ten thousand messages and one of ten million.
import { runAndStop } from '../../tools/shared/run-and-stop.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { machine } from '../measuring.mjs';
import { median, quantile } from '../statistics.mjs';
import { fill } from './fill.mjs';
import { PrivatePostgres } from './private-postgres.mjs';

/** Sizes in messages of both logs, of their longest session, and of every other one. */
const SIZES = {
  small: { messages: 10_000, long: 1_000, short: 1_000 },
  large: { messages: 10_000_000, long: 1_000_000, short: 1_000 },
};
/** Reads of each side in one round. */
const READS = 200;

/** @param {{ rounds: number }} options */
export const run = async ({ rounds }) => {
  const postgres = new PrivatePostgres('bench-window');
  await runAndStop(postgres, () => measureAll(postgres, rounds));
};

const measureAll = async (postgres, rounds) => {
  await postgres.start();
  const { createEventStore, migrateDatabase } = await import('@turnkeeper/postgres');
  const sides = {};
  try {
    for (const [name, size] of Object.entries(SIZES)) {
      const url = await postgres.database(name);
      await migrateDatabase(url);
      const scope = await step(
        name,
        (note) => fill({ url, ...size, note }),
        () =>
          `${size.messages.toLocaleString('en-US')} messages, one session with ${size.long.toLocaleString('en-US')}`,
      );
      const store = createEventStore({ databaseUrl: url, readers: 1 });
      sides[name] = { store, scope, size };
      await step('index', async () => {
        while ((await store.turns.catchUp(100_000)) > 0);
      });
    }
    report(await measure(sides, rounds));
  } finally {
    for (const { store } of Object.values(sides)) await store.close();
  }
};

/** The reads. Each must return something in both logs, or nothing in both. */
const readings = async () => {
  const { readWindow, readNewest } = await import('@turnkeeper/application');
  const { sessionView } = await import('@turnkeeper/domain');
  const window =
    (size) =>
    ({ store, scope }) =>
      readWindow(store, scope, { size, hides: sessionView });
  const find =
    (scopeOf, questionOf, prefer = 'newest') =>
    (side) =>
      side.store.questions.findAnswer(scopeOf(side.scope), questionOf(side.size), prefer);
  const session = (scope) => scope;
  const actor = ({ tenantId, memoryId, actorId }) => ({ tenantId, memoryId, actorId });
  const memory = ({ tenantId, memoryId }) => ({ tenantId, memoryId });
  /** A different question each time, from anywhere in the log; from the long session if required. */
  const rare = ({ messages }) =>
    `What about question number ${2 * Math.floor((Math.random() * messages) / 100) * 50 + 3}?`;
  const rareOfLong = ({ long }) => rare({ messages: long });
  const popular = () => 'What time is it?';
  const never = () => `Never asked ${Math.random()}`;
  return {
    'window of 32': window(32),
    'window of 1,000': window(1_000),
    'context of 10': ({ store, scope }) => readNewest(store, scope, { size: 10, hides: sessionView }),
    'exact match in the session': find(session, rareOfLong),
    'exact match of the actor': find(actor, rare),
    'exact match in the memory': find(memory, rare),
    'the same, asked often': find(memory, popular),
    'the same, oldest answer': find(memory, popular, 'oldest'),
    'the same, never asked': find(memory, never),
  };
};

const measure = async (sides, rounds) => {
  const results = {};
  const read = await readings();
  for (const [what, work] of Object.entries(read)) {
    results[what] = { small: [], large: [] };
    for (const side of Object.values(sides)) for (let warm = 0; warm < 20; warm += 1) await work(side);
  }
  for (let round = 1; round <= rounds; round += 1) {
    await step(`round ${round}`, async (note) => {
      for (const [what, work] of Object.entries(read)) {
        note(what);
        // In turns, so that background load affects both sides.
        for (let turn = 0; turn < READS; turn += 1) {
          for (const [name, side] of Object.entries(sides)) {
            const start = performance.now();
            const found = await work(side);
            results[what][name].push(performance.now() - start);
            const expected = what.endsWith('never asked');
            if ((found === null || found.length === 0) !== expected) throw new Error(`${what}: not what was expected`);
          }
        }
      }
    });
  }
  return results;
};

const report = (results) => {
  const cell = (text, width) => String(text).padStart(width);
  const ms = (value) => cell(value.toFixed(2), 9);
  say(
    `\n${''.padEnd(28)}${cell('small: p50', 14)}${cell('p99 ms', 9)}${cell('large: p50', 14)}${cell('p99 ms', 9)}${cell('p50 ratio', 12)}`,
  );
  for (const [what, { small, large }] of Object.entries(results)) {
    const [low, high] = [median(small), median(large)];
    say(
      `${what.padEnd(28)}${cell(low.toFixed(2), 14)}${ms(quantile(small, 0.99))}${cell(high.toFixed(2), 14)}${ms(quantile(large, 0.99))}${cell((high / low).toFixed(2), 12)}`,
    );
  }
  const { small, large } = SIZES;
  const of = ({ messages, long }) =>
    `${messages.toLocaleString('en-US')} messages (session: ${long.toLocaleString('en-US')})`;
  say(`\nsmall: ${of(small)}; large: ${of(large)}. One connection, reads in turns.`);
  say(machine());
};
