import { apiClient, path } from '../shared/api.mjs';
import { bold, dim, say, step } from '../shared/steps.mjs';
import { until } from '../shared/wait.mjs';
import { startReceiver } from '../webhook-receiver/main.mjs';
import { sample } from './sample.mjs';

/**
 * Sends the sample conversation through the public API, like a customer's backend, and shows the results.
 *
 * @param {{ url: string, key: string }} access
 * @param {{ records?: boolean }} [show] `records`: false if no model answers, so there will be none
 */
export const showSample = async (access, { records = true } = {}) => {
  const api = apiClient(access);
  const receiver = await startReceiver();
  try {
    const endpoint = await api.post('/v1/webhook-endpoints', {
      url: receiver.url,
      events: ['agent.history'],
      format: 'standard',
    });
    receiver.setSecrets([endpoint.secret]);
    say(`\n  ${bold('A first conversation')}\n`);
    const memory = await api.post('/memory/memories', sample.memory);
    const { id: agentId } = await startAgent(api, {
      memoryId: memory.id,
      actorId: sample.actorId,
      sessionId: sample.sessionId,
      ...sample.agent,
    });
    const events = path`/memory/memories/${memory.id}/actors/${sample.actorId}/sessions/${sample.sessionId}/events`;
    await appendTurns(api, events);
    await readBack(api, events);
    await api.post(path`/v1/agents/${agentId}/stop`);
    if (records) await showRecords(api, memory.id);
    if (records) await showSearch(api, memory.id);
    await showWebhook(receiver);
    await api.remove(path`/v1/webhook-endpoints/${endpoint.id}`);
  } finally {
    await receiver.close();
  }
};

const startAgent = (api, body) =>
  step(
    'agent',
    () => api.post('/v1/agents', body),
    ({ name }) => `${name} answers in session ${body.sessionId} of ${body.actorId}`,
  );

const appendTurns = (api, events) =>
  step(
    'append',
    async () => {
      const answers = [];
      for (const [role, message] of sample.turns) {
        answers.push(await api.post(events, { payload: { type: 'CONVERSATIONAL', role, message } }));
      }
      return answers;
    },
    (answers) => `${answers.length} turns, sequence ${answers[0].sequence} to ${answers.at(-1).sequence}`,
  );

const readBack = async (api, events) => {
  const { listData } = await step(
    'history',
    () => api.get(`${events}?page=1&size=${sample.turns.length}&order=asc`),
    ({ listData, totalItem }) => `${listData.length} of ${totalItem} turns read back`,
  );
  for (const { sequence, payload } of listData) {
    say(`        ${dim(String(sequence).padStart(2))}  ${payload.role.padEnd(9)}  ${payload.message}`);
  }
};

const showRecords = async (api, memoryId) => {
  const records = await step(
    'records',
    async () => {
      await until('extraction', async () => (await api.get(path`/v1/memories/${memoryId}/extraction`)).caughtUp, {
        timeoutMs: 90_000,
        everyMs: 200,
      });
      return api.get(path`/memory/memories/${memoryId}/memory-records?namespace=${sample.namespace}`);
    },
    (found) => `${found.length} extracted, each with the turn it came from`,
  );
  for (const { memory, sources } of records.toSorted(byFirstTurn)) {
    say(`        ${memory}`);
    for (const { sequence, role, quote } of sources) say(dim(`          from turn ${sequence} (${role}): “${quote}”`));
  }
};

const byFirstTurn = (a, b) => firstTurn(a) - firstTurn(b);
const firstTurn = ({ sources }) => Math.min(...sources.map(({ sequence }) => sequence));

const showSearch = async (api, memoryId) => {
  const found = await step(
    'search',
    () =>
      api.post(path`/memory/memories/${memoryId}/memory-records:search?namespace=${sample.namespace}`, {
        query: sample.search,
        limit: 5,
      }),
    (records) => `“${sample.search}” finds ${records.length}`,
  );
  for (const { memory, score } of found.slice(0, 3)) say(`        ${score.toFixed(2)}  ${memory}`);
};

const showWebhook = async ({ received, url }) => {
  const delivery = await step(
    'webhook',
    () => until('the webhook', () => received[0], { timeoutMs: 60_000 }),
    ({ verified, problem }) => (verified ? 'agent history received, signature verified' : `refused: ${problem}`),
  );
  say(`        POST ${url}  webhook-id ${delivery.id}`);
  if (!delivery.verified) throw new Error(`The webhook's signature could not be verified: ${delivery.problem}.`);
};
