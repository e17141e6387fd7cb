// Time until a stopped agent's history arrives: with all endpoints answering, and with half of them hanging.
import { setTimeout as pause } from 'node:timers/promises';
import { apiClient } from '../../tools/shared/api.mjs';
import { say, step } from '../../tools/shared/steps.mjs';
import { until } from '../../tools/shared/wait.mjs';
import { cpuByProcess } from '../append/append.mjs';
import { inTurns, machine, onInstallation } from '../measuring.mjs';
import { startReceivers } from './receivers.mjs';
import { report, summary } from './report.mjs';

/** Measured endpoints; they always answer. */
const HEALTHY = 5;
/** Agents that stop per second; each is a webhook to every endpoint. */
const STOPS_PER_SECOND = 8;
/** As many other endpoints, by behaviour; `alone`: none. */
const SIDES = { alone: null, 'all answer': 'answer', 'half hang': 'hang' };

/** @param {{ rounds: number, seconds: number, warmup: number }} options */
export const run = (options) => onInstallation((installation) => measureAll(installation, options));

const measureAll = async (installation, { rounds, seconds, warmup }) => {
  const api = apiClient({ url: installation.url, key: installation.apiKey });
  if (warmup > 0) {
    await step(
      'warm-up',
      () => measureSide(installation, api, 'answer', warmup, 'warm-up'),
      () => '',
    );
  }
  const measure = (side, round) => measureSide(installation, api, SIDES[side], seconds, `${round} ${side}`);
  const results = await inTurns(Object.keys(SIDES), rounds, measure, summary);
  say();
  report(results, { healthy: HEALTHY, stopsPerSecond: STOPS_PER_SECOND });
  say(`\n${machine()}`);
};

/** Milliseconds from each stop to the arrival of its history, per measured endpoint. */
const measureSide = async (installation, api, others, seconds, label) => {
  const stoppedAt = new Map();
  /** @type {number[] & { cpu?: Record<string, number> }} */
  const times = [];
  const seen = new Set();
  const measured = Array.from({ length: HEALTHY }, (_, index) => `measured-${index}`);
  const beside = others === null ? [] : measured.map((_, index) => `other-${index}`);
  const receivers = await startReceivers((name, agentId) => {
    const once = `${name}/${agentId}`;
    if (!measured.includes(name) || seen.has(once)) return;
    seen.add(once);
    times.push(performance.now() - stoppedAt.get(agentId));
  });
  const endpoints = [];
  try {
    if (others === 'hang') beside.forEach((name) => receivers.hang(name));
    for (const name of [...beside, ...measured]) {
      endpoints.push((await api.post('/v1/webhook-endpoints', { url: receivers.urlOf(name) })).id);
    }
    const agents = await startAgents(installation, api, Math.round(seconds * STOPS_PER_SECOND), label);
    await installation.settled();
    const before = cpuByProcess(installation);
    const stops = agents.map(async (agentId, index) => {
      await pause((index * 1_000) / STOPS_PER_SECOND);
      stoppedAt.set(agentId, performance.now());
      await api.post(`/v1/agents/${agentId}/stop`);
    });
    await Promise.all(stops);
    const expected = agents.length * HEALTHY;
    await until('every history that can arrive', () => times.length === expected, { timeoutMs: 60_000, everyMs: 20 });
    const after = cpuByProcess(installation);
    const sent = agents.length * endpoints.length;
    times.cpu = Object.fromEntries(
      Object.keys(after)
        .filter((name) => name !== 'bare')
        .map((name) => [name, (after[name] - before[name]) / sent]),
    );
    return times;
  } finally {
    // New endpoints every time, so that hanging deliveries of the old ones do not delay the next side.
    await Promise.all(endpoints.map((id) => api.remove(`/v1/webhook-endpoints/${id}`)));
    receivers.release();
    await receivers.close();
  }
};

const startAgents = async ({ memoryId }, api, count, label) => {
  const agents = [];
  for (let index = 0; index < count; index += 1) {
    const session = { memoryId, actorId: `actor ${label} ${index}`, sessionId: 'call' };
    const { id: agentId } = await api.post('/v1/agents', { ...session, name: `agent ${label} ${index}` });
    const contents = [{ role: 'user', content: 'Where is my parcel?' }];
    await api.post(`/v1/agents/${agentId}/messages`, { contents });
    agents.push(agentId);
  }
  return agents;
};
