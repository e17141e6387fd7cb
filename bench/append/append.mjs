// Durable appends, compared with upper bounds of the machine: a bare route, and COPY.
import { join } from 'node:path';
import { run as runCommand } from '../../tools/shared/command.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { workspaceRoot } from '../../tools/shared/workspace.mjs';
import { inTurns, machine, onInstallation, whole } from '../measuring.mjs';
import { runBeside } from './beside.mjs';
import { CopyRows } from './copy-rows.mjs';
import { cpuTime } from './cpu-time.mjs';
import { report, reportLasting } from './report.mjs';
import { BATCH } from './workload.mjs';

/** The sides, in turn order. `per` is the number of events per request. */
const SIDES = {
  'bare 64': { connections: 64, target: 'bare', per: 1 },
  'single 64': { connections: 64, target: 'ingest', per: 1 },
  'bare 256': { connections: 256, target: 'bare', per: 1 },
  'single 256': { connections: 256, target: 'ingest', per: 1 },
  'batches 8': { connections: 8, target: 'ingest', per: BATCH },
  copy: { target: 'copy' },
};

/**
 * @param {{ rounds: number, seconds: number, warmup: number, lasting: number, beside?: string, works: readonly string[], quick: boolean
 *   }} options `beside` names other work that runs during the appends
 */
export const run = async ({ rounds, seconds, warmup, lasting, beside, works, quick }) => {
  if (beside !== undefined) return runBeside({ rounds, seconds, warmup, beside, works, quick });
  await onInstallation((installation) => measureAll(installation, { rounds, seconds, warmup, lasting }));
};

/** How often the lag is looked at while the log grows and while the rest catches up. */
const LOOK_EVERY_MS = 2_000;

/** Single events at full load, until everything that is derived from the log has caught up, divided by all of that time. */
const measureLasting = async (installation, seconds) => {
  const lags = [];
  const startedAt = performance.now();
  const look = async () => {
    const at = (performance.now() - startedAt) / 1_000;
    lags.push({ at, events: await installation.lag() });
  };
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS);
  try {
    const measured = await step(
      'lasting rate',
      () => measureSide(installation, null, SIDES['single 64'], seconds),
      ({ rate, lag }) => `${whole(rate)} events/s, then ${lag.toFixed(1)} s until everything had caught up`,
    );
    return { ...measured, lags };
  } finally {
    clearInterval(looking);
  }
};

const measureAll = async (installation, options) => {
  const copy = await CopyRows.open(installation.databaseUrl);
  try {
    reportLasting(await measureLasting(installation, options.lasting));
    report(await measureRounds(installation, copy, options));
  } finally {
    await copy.close();
  }
  say(`\n${machine()}; Postgres: ${installation.settings}`);
};

const measureRounds = async (installation, copy, { rounds, seconds, warmup }) => {
  const names = Object.keys(SIDES);
  const measure = (name, time) => measureSide(installation, copy, SIDES[name], time);
  for (const name of warmup > 0 ? names : []) {
    await step(
      'warm-up',
      () => measure(name, warmup),
      () => name,
    );
  }
  const describe = ({ rate }) => `${whole(rate)} events/s`;
  const results = await inTurns(names, rounds, (name) => measure(name, seconds), describe);
  say();
  return results;
};

/** One side alone: first waits until relay and worker have finished the previous side's work. */
export const measureSide = async (installation, copy, side, seconds) => {
  const before = cpuByProcess(installation);
  const measured = side.target === 'copy' ? await copy.run(seconds) : await load(installation, side, seconds);
  const lag = await installation.settled();
  const events = measured.rows ?? measured.requests * side.per;
  const after = cpuByProcess(installation);
  const cpu = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, (value - before[name]) / events]));
  cpu.load = measured.cpu / events;
  return { ...measured, events, rate: events / measured.seconds, lag, cpu };
};

const load = async (installation, { connections, target, per }, seconds) => {
  const config = {
    url: target === 'bare' ? installation.bareUrl : installation.url,
    memoryId: installation.memoryId,
    apiKey: installation.apiKey,
    batches: per > 1,
    connections,
    seconds,
  };
  const script = join(workspaceRoot, 'bench', 'append', 'load.mjs');
  const { code, output } = await runCommand(process.execPath, [script, JSON.stringify(config)]);
  if (code !== 0) throw new Error(`The load failed:\n${output}`);
  const result = JSON.parse(output.slice(output.indexOf('{"requests"')));
  if (result.failures > 0) throw new Error(`${result.failures} requests failed: the figures would mean nothing.`);
  return result;
};

/** Microseconds per process; empty if the system does not report them. */
export const cpuByProcess = ({ pids }) => {
  const times = Object.entries(pids).map(([name, pid]) => [name, cpuTime(pid)]);
  return Object.fromEntries(times.filter(([, time]) => time !== null));
};
