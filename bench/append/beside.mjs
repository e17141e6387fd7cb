// Appends next to other work at full speed: the same load alternately calm and next to it.
import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../tools/dev/command-line.mjs';
import { runAndStop } from '../../tools/shared/run-and-stop.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { workspaceRoot } from '../../tools/shared/workspace.mjs';
import { machine } from '../measuring.mjs';
import { describeSides, reportBeside } from './beside-report.mjs';
import { headTimes } from './head-times.mjs';
import { Installation } from './installation.mjs';

const SIZES = {
  full: { rate: 200, sessions: 2_000, inserted: 1_000, imported: 20_000, erased: 30_000, expiring: 300_000 },
  quick: { rate: 50, sessions: 100, inserted: 200, imported: 1_000, erased: 2_000, expiring: 5_000 },
};

/** Sessions that are prepared for extraction stay unread until the measurement, however long preparing takes. */
const SETTINGS = { EXTRACTION_QUIET_SECONDS: '86400' };

/** @param {{ rounds: number, seconds: number, warmup: number, beside: string, works: readonly string[], quick: boolean }} options */
export const runBeside = async (options) => {
  const installation = new Installation({ settings: SETTINGS });
  // Shares servers and cores with the first one, but not the log: tells what each of the two costs.
  const second = new Installation({ name: 'second', serversOf: installation, settings: SETTINGS });
  const stop = async () => {
    await second.stop();
    await installation.stop();
  };
  await runAndStop({ stop }, () => measureAll(installation, second, options));
};

const measureAll = async (installation, second, { rounds, seconds, warmup, beside, works: all, quick }) => {
  await installation.start();
  await installation.reuseLogFiles();
  await second.start();
  const size = SIZES[quick ? 'quick' : 'full'];
  const names = beside === 'all' ? all : [beside];
  const places = [];
  for (const { url, databaseUrl, env } of [installation, second]) {
    const apiKeys = [];
    for (const name of ['other', 'third']) apiKeys.push((await createKey(env, name)).apiKey);
    places.push({ url, databaseUrl, apiKeys });
  }
  const startWorks = (name, options) => places.map((place) => new Work(name, { ...place, ...options }));
  const works = Object.fromEntries(names.map((name) => [name, startWorks(name, { size, seconds })]));
  const results = Object.fromEntries(names.map((name) => [name, []]));
  const load = [];
  const settled = () => Promise.all([installation.settled(), second.settled()]);
  try {
    if (warmup > 0) {
      await step('warm-up', () => calm(installation, size, warmup));
      // The first requests of a kind run uncompiled code.
      for (const name of names) {
        const few = startWorks(name, { size: SIZES.quick, seconds: warmup });
        await step(
          'warm-up',
          () => runOnce(few, settled),
          () => name,
        );
      }
    }
    for (let round = 1; round <= rounds; round += 1) {
      for (const name of names) {
        await step(
          `round ${round}`,
          async () => {
            for (const work of works[name]) await work.ask('prepare');
          },
          () => `${name}: prepared`,
        );
        await settled();
        load.push(loadavg()[0]);
        const result = await step(
          `round ${round}`,
          () => measureSides(installation, works[name], size, seconds, settled),
          (sides) => `${name}: ${describeSides(sides)}`,
        );
        results[name].push(result);
        await settled();
      }
    }
  } finally {
    for (const work of Object.values(works).flat()) work.end();
  }
  reportBeside(results);
  const [least, most] = [Math.min(...load), Math.max(...load)];
  say(
    `\n${machine()}, load average ${least.toFixed(1)} to ${most.toFixed(1)} between the` +
      ` measurements; ${JSON.stringify(size)}; Postgres: ${installation.settings}`,
  );
};

const runOnce = async (works, settled) => {
  try {
    for (const work of works) {
      await work.ask('prepare');
      await settled();
      await work.ask('run');
    }
    await settled();
  } finally {
    for (const work of works) work.end();
  }
};

const calm = async (installation, size, seconds) => {
  const probe = new Probe(installation, size.rate);
  await sleep(seconds * 1_000);
  return probe.stop();
};

/** Calm, then next to the work of the second installation, then next to the same work of the measured one. */
const measureSides = async (installation, [own, other], size, seconds, settled) => {
  const alone = await calm(installation, size, seconds);
  const { beside: besideOther } = await measureBeside(installation, other, size);
  await settled();
  const before = await headTimes(installation.metricsUrls);
  const done = await measureBeside(installation, own, size);
  return { alone, besideOther, ...done, head: (await headTimes(installation.metricsUrls)).since(before) };
};

/** Lasts as long as the work. */
const measureBeside = async (installation, work, size) => {
  const probe = new Probe(installation, size.rate);
  const started = performance.now();
  let done;
  try {
    done = await work.ask('run');
  } finally {
    done = { ...done, lasted: (performance.now() - started) / 1_000, beside: await probe.stop() };
  }
  return done;
};

/** The load: a separate process that runs until told to stop. */
class Probe {
  constructor({ url, memoryId, apiKey }, rate) {
    this.child = start('probe.mjs', { url, memoryId, apiKey, rate });
    this.answer = nextLine(this.child, 'The load');
  }

  stop() {
    this.child.stdin.end();
    return this.answer;
  }
}

/** The other work: a separate process that prepares and runs on command. */
class Work {
  constructor(name, config) {
    this.name = name;
    this.child = start('other-work.mjs', { name, ...config });
  }

  ask(command) {
    const answer = nextLine(this.child, this.name);
    this.child.stdin.write(`${command}\n`);
    return answer;
  }

  end() {
    this.child.stdin.end();
  }
}

const start = (file, config) =>
  spawn(process.execPath, [join(workspaceRoot, 'bench', 'append', file), JSON.stringify(config)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });

/** The next output of a process: one line of JSON. */
const nextLine = (child, name) =>
  new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk) => {
      text += chunk;
      if (!text.includes('\n')) return;
      settle();
      resolve(JSON.parse(text));
    };
    const fail = (code) => {
      settle();
      reject(new Error(`${name} ended with ${code} before it answered.`));
    };
    const settle = () => {
      child.stdout.off('data', read);
      child.off('exit', fail);
    };
    child.stdout.on('data', read);
    child.once('exit', fail);
  });
