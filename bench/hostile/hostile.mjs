// The cost of one tenant's hostile inputs to another: appends, extraction and the processes' liveness, calm and
// attacked.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../../tools/dev/command-line.mjs';
import { apiClient } from '../../tools/shared/api.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { until } from '../../tools/shared/wait.mjs';
import { workspaceRoot } from '../../tools/shared/workspace.mjs';
import { cpuTime } from '../append/cpu-time.mjs';
import { Installation } from '../append/installation.mjs';
import { runAndStop } from '../stoppable.mjs';
import { median } from '../statistics.mjs';

const CONNECTIONS = 8;
const PROBE_MS = 100;
const WANTED = { livezMs: 1_000, appends: 0.7, extraction: 2 };

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = async ({ rounds, seconds, warmup }) => {
  // Default settings: the limits per tenant are part of what protects its neighbours.
  const installation = new Installation({ rateLimits: true });
  await runAndStop(installation, () => measureAll(installation, { rounds, seconds: Math.max(seconds, 10), warmup }));
};

const measureAll = async (installation, { rounds, seconds, warmup }) => {
  await installation.start();
  const { env, url } = installation;
  const victim = await tenantOf(installation, installation.apiKey);
  const key = (await createKey(env, 'hostile')).apiKey;
  const enemy = await tenantOf(installation, key);
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

const tenantOf = async ({ url, database }, key) => {
  const api = apiClient({ url, key });
  const memory = await api.post('/memory/memories', {
    name: 'bench',
    longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
  });
  return { api, database, memoryId: memory.id, strategyId: memory.longTermMemoryStrategies[0].id };
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
      await victim.api.post(sessionPath(victim, `rate-${connection}`), turn('It is a fine day.'));
      appends += 1;
    }
  });
  const extracting = (async () => {
    while (performance.now() < end) extractions.push(await extraction(victim));
  })();
  await Promise.all([...appending, extracting]);
  return { rate: appends / seconds, extractionMs: median(extractions) };
};

const sessionPath = ({ memoryId }, session) => `/memory/memories/${memoryId}/actors/ada/sessions/${session}/events`;
const turn = (message) => ({ payload: { type: 'CONVERSATIONAL', role: 'user', message } });

const extraction = async (victim) => {
  const { api, database, memoryId, strategyId } = victim;
  const session = `${process.hrtime.bigint()}`;
  await api.post(sessionPath(victim, session), turn('I moved to Hue last year.'));
  const started = performance.now();
  const query = `actorId=ada&sessionId=${session}&longTermMemoryStrategyId=${strategyId}`;
  await api.post(`/memory/memories/${memoryId}/memory-records:generate-from-session?${query}`);
  await until(
    'the extraction',
    async () => {
      const { rows } = await database.query(
        'select 1 from extraction_states where memory_id = $1 and session_id = $2 and watermark > 0',
        [memoryId, session],
      );
      return rows.length > 0;
    },
    { timeoutMs: 120_000, everyMs: 5 },
  );
  return performance.now() - started;
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
