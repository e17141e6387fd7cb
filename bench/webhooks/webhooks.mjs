// How soon the history of a stopped agent arrives: when all is calm, and while half of the endpoints hang.
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { apiClient } from '../../tools/shared/api.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { until } from '../../tools/shared/wait.mjs';
import { Installation } from '../append/installation.mjs';
import { startReceivers } from './receivers.mjs';
import { report, summary } from './report.mjs';

const ENDPOINTS = 10;
/** Agents that stop in a second; each is a webhook to every endpoint. */
const STOPS_PER_SECOND = 8;
const SIDES = { calm: 0, 'half hang': ENDPOINTS / 2 };

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = async ({ rounds, seconds, warmup }) => {
  const installation = new Installation();
  const interrupted = new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
    }
  });
  try {
    await Promise.race([measureAll(installation, { rounds, seconds, warmup }), interrupted]);
  } catch (error) {
    say(`\n${error.message}`);
    process.exitCode = 1;
  } finally {
    await installation.stop();
  }
};

const measureAll = async (installation, { rounds, seconds, warmup }) => {
  await installation.start();
  const api = apiClient({ url: installation.url, key: installation.apiKey });
  const results = { calm: [], 'half hang': [] };
  if (warmup > 0) {
    await step(
      'warm-up',
      () => measureSide(installation, api, 0, warmup, 'warm-up'),
      () => '',
    );
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, hanging] of Object.entries(SIDES)) {
      const label = `${round}-${hanging}`;
      const measured = await step(
        `round ${round}`,
        () => measureSide(installation, api, hanging, seconds, label),
        (times) => `${name}: ${summary(times)}`,
      );
      results[name].push(measured);
    }
  }
  say();
  report(results, { endpoints: ENDPOINTS, stopsPerSecond: STOPS_PER_SECOND });
  say(`\n${cpus().length} cores (${cpus()[0].model.trim()}), Node ${process.version}`);
};

/** Milliseconds from each stop until its history arrived, for every endpoint that answers. */
const measureSide = async (installation, api, hanging, seconds, label) => {
  const stoppedAt = new Map();
  const times = [];
  const seen = new Set();
  const isHanging = (name) => Number(name.split('-').at(-1)) < hanging;
  const receivers = await startReceivers((name, agentId) => {
    const once = `${name}/${agentId}`;
    if (isHanging(name) || seen.has(once)) return;
    seen.add(once);
    times.push(performance.now() - stoppedAt.get(agentId));
  });
  const endpoints = [];
  try {
    for (let index = 0; index < ENDPOINTS; index += 1) {
      const name = `e-${index}`;
      if (index < hanging) receivers.hang(name);
      endpoints.push((await api.post('/v1/webhook-endpoints', { url: receivers.urlOf(name) })).id);
    }
    const agents = await startAgents(installation, api, Math.round(seconds * STOPS_PER_SECOND), label);
    await installation.settled();
    const stops = agents.map(async (agentId, index) => {
      await pause((index * 1_000) / STOPS_PER_SECOND);
      stoppedAt.set(agentId, performance.now());
      await api.post(`/v1/agents/${agentId}/stop`);
    });
    await Promise.all(stops);
    const expected = agents.length * (ENDPOINTS - hanging);
    await until('every history that can arrive', () => times.length === expected, { timeoutMs: 60_000, everyMs: 20 });
    return times;
  } finally {
    // New endpoints every time: what hangs behind the old ones must not be in the way of the next side.
    await Promise.all(endpoints.map((id) => api.remove(`/v1/webhook-endpoints/${id}`)));
    receivers.release();
    await receivers.close();
  }
};

const startAgents = async ({ memoryId }, api, count, label) => {
  const agents = [];
  for (let index = 0; index < count; index += 1) {
    const session = { memoryId, actorId: `actor ${label} ${index}`, sessionId: 'call' };
    const { agentId } = await api.post('/v1/agents', { ...session, name: `agent ${label} ${index}` });
    const contents = [{ role: 'user', content: 'Where is my parcel?' }];
    await api.post(`/v1/agents/${agentId}/messages`, { contents });
    agents.push(agentId);
  }
  return agents;
};
