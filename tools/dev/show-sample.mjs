import { apiClient, path } from '../shared/api.mjs';
import { bold, dim, say, step } from '../shared/steps.mjs';
import { until } from '../shared/wait.mjs';
import { startReceiver } from '../webhook-receiver/main.mjs';
import { sample } from './sample.mjs';
import { showLateRecords, showRecords } from './sample-records.mjs';

/**
 * Sends the sample conversation through the public API, like a customer's backend, and shows the results. Does not wait
 * for a slow model.
 *
 * @param {{ url: string, key: string }} access
 * @param {{ records?: boolean, model?: boolean, lateOutput?: string }} [show] `records`: false if no model answers, so
 *   there will be none; the others as of `showRecords`
 * @returns {Promise<(() => Promise<void>) | undefined>} waits for the records and shows them, if they did not come in time
 */
export const showSample = async (access, { records = true, model = false, lateOutput = 'here' } = {}) => {
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
    const isLate = records && !(await showRecords(api, memory.id, { model, lateOutput }));
    await showWebhook(receiver);
    await api.remove(path`/v1/webhook-endpoints/${endpoint.id}`);
    return isLate ? () => showLateRecords(api, memory.id) : undefined;
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

const showWebhook = async ({ received, url }) => {
  const delivery = await step(
    'webhook',
    () => until('the webhook', () => received[0], { timeoutMs: 60_000 }),
    ({ verified, problem }) => (verified ? 'agent history received, signature verified' : `refused: ${problem}`),
  );
  say(`        POST ${url}  webhook-id ${delivery.id}`);
  if (!delivery.verified) throw new Error(`The webhook's signature could not be verified: ${delivery.problem}.`);
};
