import { sleep } from '../../shared/wait.mjs';
import { PatientClient } from '../../soak/client.mjs';

const NOT_RUNNING = 'agent.not_running';

/**
 * What came of one agent: the contents that were acknowledged, by sequence, and answers that were neither an acknowledgement
 * nor the refusal after the stop.
 *
 * @typedef {{ agentId: string, acknowledged: string[], wrong: string[] }} Race
 */

/**
 * Writers send messages through one agent until they are refused, half of them at each ingest, while the agent is stopped.
 *
 * @param {{ urls: readonly string[], apiKey: string, memoryId: string, number: number, writers: number, delayMs: number }} what
 *   urls: of two ingests; number: of this race; delayMs: from the first message to the stop
 * @returns {Promise<Race>}
 */
export const raceWithStop = async ({ urls, apiKey, memoryId, number, writers, delayMs }) => {
  const clientAt = (first) => new PatientClient({ urls, apiKey, first });
  const place = { memoryId, actorId: `ada-${number % 50}`, sessionId: `stop-${number}`, name: `stop-${number}` };
  const started = await clientAt(number).send('POST', '/v1/agents', { body: place, key: `start-${number}` });
  if (started.status >= 300) throw new Error(`start: ${started.status} ${JSON.stringify(started.answer)}`);
  const agentId = started.answer.id;
  /** @type {{ sequence: number, content: string }[]} */
  const acknowledged = [];
  /** @type {string[]} */
  const wrong = [];
  const write = async (_, writer) => {
    const client = clientAt(writer);
    for (let message = 0; ; message += 1) {
      const content = `${number}.${writer}.${message}`;
      const body = { contents: [{ role: message % 2 === 0 ? 'user' : 'assistant', content }] };
      const { status, answer } = await client.send('POST', `/v1/agents/${agentId}/messages`, { body, key: content });
      if (status !== 200) {
        if (status !== 409 || answer?.code !== NOT_RUNNING) wrong.push(`${status} ${JSON.stringify(answer)}`);
        return;
      }
      acknowledged.push({ sequence: answer.messages[0].sequence, content });
    }
  };
  const stop = async () => {
    await sleep(delayMs);
    const { status, answer } = await clientAt(number + 1).send('POST', `/v1/agents/${agentId}/stop`);
    if (status !== 200) wrong.push(`stop: ${status} ${JSON.stringify(answer)}`);
  };
  const writing = Promise.all(Array.from({ length: writers }, write));
  await Promise.all([writing, stop()]);
  acknowledged.sort((a, b) => a.sequence - b.sequence);
  return { agentId, acknowledged: acknowledged.map(({ content }) => content), wrong };
};

/**
 * Compares every delivered body with what was acknowledged: all of it, once, in order, and nothing else.
 *
 * @param {Race} race
 * @param {Pick<Awaited<ReturnType<typeof import('../../soak/histories.mjs').startHistories>>, 'bodiesOf'>} histories
 * @returns {string[]} one line per fault
 */
export const faultsOf = ({ agentId, acknowledged, wrong }, histories) => {
  const faults = [...wrong];
  for (const format of /** @type {const} */ (['standard', 'agora'])) {
    const bodies = histories.bodiesOf(format, agentId);
    if (bodies.length === 0) faults.push(`${format}: no history`);
    for (const body of bodies) {
      const fault = differenceOf(acknowledged, body);
      if (fault !== null) faults.push(`${format}: ${fault}`);
    }
  }
  return faults.map((fault) => `agent ${agentId}: ${fault}`);
};

/** @param {readonly string[]} expected @param {readonly string[]} found @returns {string | null} */
const differenceOf = (expected, found) => {
  const missing = expected.filter((content) => !found.includes(content));
  if (missing.length > 0) return `missing ${missing.join(', ')}`;
  if (new Set(found).size < found.length) return `repeated in ${found.join(', ')}`;
  const surplus = found.filter((content) => !expected.includes(content));
  if (surplus.length > 0) return `never acknowledged: ${surplus.join(', ')}`;
  if (found.some((content, index) => content !== expected[index])) return `out of order: ${found.join(', ')}`;
  return null;
};
