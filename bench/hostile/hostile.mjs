// The cost of one tenant's hostile inputs to another: appends, extraction and the processes' liveness, calm and
// attacked.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../tools/dev/command-line.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { workspaceRoot } from '../../tools/shared/workspace.mjs';
import { cpuTime } from '../append/cpu-time.mjs';
import { onInstallation } from '../measuring.mjs';
import { extractOneSession, memoryOfTenant, sessionPath, userTurn } from '../one-session.mjs';
import { median } from '../statistics.mjs';

const CONNECTIONS = 8;
const PROBE_MS = 100;
const WANTED = { livezMs: 1_000, appends: 0.7, extraction: 2 };

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = ({ rounds, seconds, warmup }) =>
  onInstallation(
    (installation) => measureAll(installation, { rounds, seconds: Math.max(seconds, 10), warmup }),
    // Default settings: the limits per tenant are part of what protects its neighbours.
    { rateLimits: true },
  );

const measureAll = async (installation, { rounds, seconds, warmup }) => {
  const { env, url } = installation;
  const victim = await memoryOfTenant(installation, installation.apiKey);
  const key = (await createKey(env, 'hostile')).apiKey;
  const enemy = await memoryOfTenant(installation, key);
  const workerUrl = `http://127.0.0.1:${env.WORKER_PORT}`;
  await measure(victim, Math.max(warmup, 1));
  const results = [];
  for (let round = 1; round <= rounds; round += 1) {
    const { pids } = installation;
    const calm = await step(`round ${round}`, () => timed(pids, () => measure(victim, seconds)), describe('calm'));
    const attacker = attack([url, key, enemy.memoryId, enemy.strategyId, String(seconds + 2)]);
    const probes = [probe(`${url}/livez`), probe(`${workerUrl}/livez`)];
    const attacked = await step(
      `round ${round}`,
      () => timed({ ...pids, attacker: attacker.pid }, () => measure(victim, seconds)),
      describe('attacked'),
    );
    const [ingest, worker] = await Promise.all(probes.map((each) => each.stop()));
    say(`  hostile requests: ${await attacker.done}`);
    results.push({ calm, attacked, ingest, worker });
  }
  report(results);
};

const attack = (args) => {
  const child = spawn(process.execPath, [join(workspaceRoot, 'bench', 'hostile', 'attacker.mjs'), ...args]);
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  child.stderr.on('data', (text) => (said += text));
  const done = new Promise((resolve, reject) => {
    child
      .once('error', reject)
      .once('close', (code) =>
        code === 0 ? resolve(said.trim()) : reject(new Error(`The attacker ended with ${code}: ${said}`)),
      );
  });
  return { pid: child.pid, done };
};

/** Adds the CPU time that each process, and this one as the load, used meanwhile, in cores. */
const timed = async (pids, run) => {
  const ownTime = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const read = () => ({
    ...Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuTime(pid)])),
    load: ownTime(),
  });
  const [before, started] = [read(), performance.now()];
  const result = await run();
  const [after, microseconds] = [read(), (performance.now() - started) * 1_000];
  const cores = Object.entries(after).map(([name, used]) => [name, (used - before[name]) / microseconds]);
  return { ...result, cores: Object.fromEntries(cores) };
};

/** Polls continuously; returns the maximum latency in milliseconds. */
const probe = (url) => {
  let longest = 0;
  let stopped = false;
  const asking = (async () => {
    while (!stopped) {
      const started = performance.now();
      const ok = await fetch(url, { signal: AbortSignal.timeout(30_000) }).then(
        (response) => response.arrayBuffer().then(() => response.ok),
        () => false,
      );
      longest = Math.max(longest, ok ? performance.now() - started : Number.POSITIVE_INFINITY);
      await sleep(PROBE_MS);
    }
    return longest;
  })();
  return {
    stop: () => {
      stopped = true;
      return asking;
    },
  };
};

/** Appends on some connections and, concurrently, one extraction after the other. */
const measure = async (victim, seconds) => {
  const end = performance.now() + seconds * 1_000;
  let appends = 0;
  const extractions = [];
  const appending = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    while (performance.now() < end) {
      await victim.api.post(sessionPath(victim, `rate-${connection}`), userTurn('It is a fine day.'));
      appends += 1;
    }
  });
  const extracting = (async () => {
    while (performance.now() < end) extractions.push(await extractOneSession(victim));
  })();
  await Promise.all([...appending, extracting]);
  return { rate: appends / seconds, extractionMs: median(extractions) };
};

const describe =
  (side) =>
  ({ rate, extractionMs, cores }) =>
    `${side}: ${rate.toFixed(0)} appends/s, ${extractionMs.toFixed(0)} ms to an extraction; cores: ${Object.entries(
      cores,
    )
      .map(([name, used]) => `${name} ${used.toFixed(2)}`)
      .join(', ')}`;

const report = (results) => {
  const livez = Math.max(...results.flatMap(({ ingest, worker }) => [ingest, worker]));
  const appends = median(results.map(({ calm, attacked }) => attacked.rate / calm.rate));
  const slower = median(results.map(({ calm, attacked }) => attacked.extractionMs / calm.extractionMs));
  const verdict = (reached) => (reached ? 'reached' : 'NOT REACHED');
  say('\n| what, one tenant calm and beside a hostile one | measured | wanted | |');
  say('|---|---|---|---|');
  for (const name of ['ingest', 'worker']) {
    const longest = Math.max(...results.map((result) => result[name]));
    say(
      `| longest answer of ${name}'s /livez | ${longest.toFixed(0)} ms | ${WANTED.livezMs} ms | ${verdict(longest <= WANTED.livezMs)} |`,
    );
  }
  say(
    `| rate of appends, to calm | ${appends.toFixed(2)} | ${WANTED.appends} | ${verdict(appends >= WANTED.appends)} |`,
  );
  say(
    `| time to an extraction, to calm | ${slower.toFixed(2)} | ${WANTED.extraction} | ${verdict(slower <= WANTED.extraction)} |`,
  );
  if (livez > WANTED.livezMs || appends < WANTED.appends || slower > WANTED.extraction) process.exitCode = 1;
};
