// Checkpoints of LangGraph: our saver over HTTP compared with the official Postgres saver in process, on the same
// server.
import { uuid6 } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { TurnkeeperSaver } from '@turnkeeper/langgraph';
import pg from 'pg';
import { say } from '../../tools/shared/steps.mjs';
import { inTurns, machine, onInstallation, whole } from '../measuring.mjs';
import { median } from '../statistics.mjs';

const IN_FLIGHT = 64;
const AIM = 2;
/** Channels of a state, of which every step changes two; characters of each value. */
const CHANNELS = 8;
const VALUE_LENGTH = 500;

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = (options) => onInstallation((installation) => measureAll(installation, options));

const measureAll = async (installation, { rounds, seconds, warmup }) => {
  const theirs = await officialSaver(installation);
  const { url, apiKey, memoryId } = installation;
  const savers = {
    turnkeeper: new TurnkeeperSaver({ baseUrl: url, apiKey, memoryId, actorId: 'bench' }),
    official: theirs,
  };
  try {
    const names = Object.keys(savers);
    for (const name of warmup > 0 ? names : []) await measure(savers[name], warmup);
    const describe = (rate) => `${whole(rate)} puts/s`;
    report(await inTurns(names, rounds, (name) => measure(savers[name], seconds), describe));
  } finally {
    await theirs.end();
  }
  say(`\n${machine()}; Postgres: ${installation.settings}`);
};

/** In a separate database, with its default pool. */
const officialSaver = async ({ databaseUrl }) => {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query('create database langgraph');
  await admin.end();
  const target = new URL(databaseUrl);
  target.pathname = '/langgraph';
  const saver = PostgresSaver.fromConnString(target.href);
  await saver.setup();
  return saver;
};

/** Puts per second with 64 threads, each of which puts one checkpoint after the other. */
const measure = async (saver, seconds) => {
  const until = performance.now() + seconds * 1_000;
  const started = performance.now();
  const counts = await Promise.all(Array.from({ length: IN_FLIGHT }, () => putUntil(saver, until)));
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - started) / 1_000);
};

let threads = 0;
const putUntil = async (saver, until) => {
  let config = { configurable: { thread_id: `thread-${(threads += 1)}`, checkpoint_ns: '' } };
  const state = {};
  const versions = {};
  let count = 0;
  for (; performance.now() < until; count += 1) {
    const changed = count === 0 ? channelNames : channelNames.filter((_, at) => at % 4 === count % 4);
    const newVersions = {};
    for (const name of changed) {
      state[name] = `${count} ${filler}`;
      newVersions[name] = versions[name] = saver.getNextVersion(versions[name]);
    }
    const checkpoint = {
      v: 4,
      id: uuid6(count),
      ts: new Date().toISOString(),
      versions_seen: {},
      channel_values: { ...state },
      channel_versions: { ...versions },
    };
    config = await saver.put(config, checkpoint, { source: 'loop', step: count, parents: {} }, newVersions);
  }
  return count;
};

const channelNames = Array.from({ length: CHANNELS }, (_, at) => `channel${at}`);
const filler = 'said '.repeat(VALUE_LENGTH / 5);

const report = (results) => {
  const { turnkeeper, official } = results;
  say('\n| saver | puts/s, median (min-max) |');
  say('|---|---|');
  for (const [name, rates] of Object.entries(results)) {
    say(`| ${name} | ${whole(median(rates))} (${whole(Math.min(...rates))}-${whole(Math.max(...rates))}) |`);
  }
  const ratios = turnkeeper.map((rate, at) => rate / official[at]);
  const verdict = median(ratios) >= AIM ? 'reached' : 'NOT REACHED';
  say(
    `\nRatio by round: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; median ${median(ratios).toFixed(2)}; aim ${AIM}: ${verdict}`,
  );
};
