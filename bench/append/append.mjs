// Durable appends, compared with upper bounds of the machine: a bare route, and COPY.
import { cpus } from 'node:os';
import { join } from 'node:path';
import { run as runCommand } from '../../tools/shared/command.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { workspaceRoot } from '../../tools/shared/workspace.mjs';
import { runAndStop } from '../stoppable.mjs';
import { runBeside } from './beside.mjs';
import { CopyRows } from './copy-rows.mjs';
import { cpuTime } from './cpu-time.mjs';
import { Installation } from './installation.mjs';
import { report } from './report.mjs';
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
 * @param {{ rounds: number, seconds: number, warmup: number, beside?: string, works: readonly string[], quick: boolean
 *   }} options `beside` names other work that runs during the appends
 */
export const run = async ({ rounds, seconds, warmup, beside, works, quick }) => {
  if (beside !== undefined) return runBeside({ rounds, seconds, warmup, beside, works, quick });
  const installation = new Installation();
  await runAndStop(installation, () => measureAll(installation, { rounds, seconds, warmup }));
};

const measureAll = async (installation, options) => {
  await installation.start();
  const copy = await CopyRows.open(installation.databaseUrl);
  try {
    report(await measureRounds(installation, copy, options));
  } finally {
    await copy.close();
  }
  say(
    `\n${cpus().length} cores (${cpus()[0].model.trim()}), Node ${process.version}; Postgres: ${installation.settings}`,
  );
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
  const results = Object.fromEntries(names.map((name) => [name, /** @type {any[]} */ ([])]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) {
      results[name].push(await step(`round ${round}`, () => measure(name, seconds), describeAs(name)));
    }
  }
  say();
  return results;
};

const describeAs = (name) => (result) => `${name}: ${Math.round(result.rate).toLocaleString('en-US')} events/s`;

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
const cpuByProcess = ({ pids }) => {
  const times = Object.entries(pids).map(([name, pid]) => [name, cpuTime(pid)]);
  return Object.fromEntries(times.filter(([, time]) => time !== null));
};
