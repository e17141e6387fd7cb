import { sleep } from '../shared/wait.mjs';
import { PatientClient } from './client.mjs';

/** A fact that a user states once in every conversation, and the record that is made of it. */
const FACT = "I'm allergic to peanuts.";
const FACT_TURN = 2;
const TURNS = 12;
/** Messages in flight when the agent stops. */
const RACING = 3;

/**
 * Writers that hold conversations through agents, one after the other, until told to stop. They record what the API
 * acknowledged.
 *
 * @typedef {object} Conversation
 * @property {string} memoryId
 * @property {string} actorId
 * @property {string} sessionId
 * @property {string} agentId
 * @property {boolean} stopped the stop was acknowledged
 * @property {{ content: string, eventId: string, sequence: number }[]} acknowledged
 * @property {string} [factEventId]
 */
export class Writers {
  constructor({ urls, apiKey, memoryId, count, pauseMs }) {
    this.memoryId = memoryId;
    this.pauseMs = pauseMs;
    this.clients = Array.from({ length: count }, (_, index) => new PatientClient({ urls, apiKey, first: index }));
    /** @type {Conversation[]} */
    this.conversations = [];
    this.acknowledged = 0;
    /** Answers that a correct service does not give. */
    this.surprises = [];
    this.ending = false;
  }

  /** Resolves when every writer has ended its conversation after `end()`. */
  async run() {
    await Promise.all(this.clients.map((client, writer) => this.write(client, writer)));
  }

  end() {
    this.ending = true;
  }

  async write(client, writer) {
    for (let number = 1; !this.ending; number += 1) await this.converse(client, `w${writer}-${number}`);
  }

  async converse(client, name) {
    const place = { memoryId: this.memoryId, actorId: `actor ${name}`, sessionId: `call ${name}` };
    const started = await client.send('POST', '/v1/agents', { body: { ...place, name }, key: `start-${name}` });
    // The first attempt's answer was lost, so our own agent has the name: leave it to the next conversation.
    if (started.status === 409) return;
    if (started.status !== 201) return this.surprise('start', started);
    const conversation = { ...place, agentId: started.answer.id, stopped: false, acknowledged: [] };
    this.conversations.push(conversation);
    for (let turn = 1; turn <= TURNS && !this.ending; turn += 1) {
      await this.append(client, conversation, turn);
      await sleep(this.pauseMs);
    }
    const racing = Array.from({ length: RACING }, (_, index) => this.append(client, conversation, TURNS + 1 + index));
    await Promise.all([this.stop(client, conversation), ...racing]);
  }

  async append(client, conversation, turn) {
    const content = turn === FACT_TURN ? FACT : `Turn ${turn} of ${conversation.sessionId}.`;
    const role = turn === FACT_TURN || turn % 2 === 1 ? 'user' : 'assistant';
    const { status, answer } = await client.send('POST', `/v1/agents/${conversation.agentId}/messages`, {
      body: { contents: [{ role, content }] },
      key: `${conversation.agentId}-${turn}`,
    });
    if (status === 200) {
      const [{ eventId, sequence }] = answer.messages;
      conversation.acknowledged.push({ content, eventId, sequence });
      if (turn === FACT_TURN) conversation.factEventId = eventId;
      this.acknowledged += 1;
    } else if (!(turn > TURNS && answer?.code === 'agent.not_running')) {
      this.surprise('append', { status, answer });
    }
  }

  async stop(client, conversation) {
    const { status, answer } = await client.send('POST', `/v1/agents/${conversation.agentId}/stop`);
    conversation.stopped = status === 200 || answer?.code === 'agent.not_running';
    if (!conversation.stopped) this.surprise('stop', { status, answer });
  }

  surprise(what, { status, answer }) {
    this.surprises.push(`${what}: ${status} ${JSON.stringify(answer)}`);
  }
}
