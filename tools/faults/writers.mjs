import { randomUUID } from 'node:crypto';
import { path } from '../shared/api.mjs';
import { randomFrom } from '../shared/random.mjs';
import { sleep } from '../shared/wait.mjs';
import { PatientClient } from './client.mjs';

/** A fact that a user states once in every conversation, and the record that is made of it. */
export const FACT = "I'm allergic to peanuts.";
/** In every content that will be erased: no store may hold it at the end. */
export const ERASED = 'Qx7erased';
const ACTIONS = 12;
/** Messages in flight when the agent stops. */
const RACING = 3;
/** Of conversations, the share that is erased as a whole after its stop. */
const DOOMED = 0.1;

const NOT_RUNNING = 'agent.not_running';
/** What a writer does in a conversation, each drawn as often as it stands here. */
const URN = 'say say say say say say repeat repeat batch batch ask ask contest giveUp erase note correct'.split(' ');

/** The strategy's namespace, so that erasing the actor erases it. */
export const namespaceOf = (actorId) => `/facts/${actorId}`;

/**
 * Writers that hold conversations through agents, one after the other, until told to stop. Everything goes into the
 * ledger before it is sent and when it is answered.
 */
export class Writers {
  /** @param {{ urls: readonly string[], apiKey: string, memoryId: string, count: number, pauseMs: number, seed?: number,
   *            ledger: import('./ledger.mjs').Ledger, acknowledged?: (name: string, contents: readonly string[]) => Promise<unknown> }} what
   *   `acknowledged` is awaited after every acknowledgement */
  constructor({ urls, apiKey, memoryId, count, pauseMs, seed = 1, ledger, acknowledged = async () => {} }) {
    this.memoryId = memoryId;
    this.pauseMs = pauseMs;
    this.seed = seed;
    this.ledger = ledger;
    this.onAcknowledged = acknowledged;
    this.clients = Array.from({ length: count }, (_, index) => new PatientClient({ urls, apiKey, first: index }));
    this.acknowledged = 0;
    /** How often each action was acknowledged. @type {Map<string, number>} */
    this.done = new Map();
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
    const random = randomFrom(this.seed * 1_009 + writer);
    const rival = this.clients[(writer + 1) % this.clients.length];
    for (let number = 1; !this.ending; number += 1)
      await this.converse(new Talk(this, { client, rival, random, name: `w${writer}-${number}` }));
  }

  /** @param {Talk} talk */
  async converse(talk) {
    if (!(await talk.start())) return;
    for (let turn = 0; turn < ACTIONS && !this.ending; turn += 1) {
      await (turn === 1 ? talk.state() : talk.act());
      await sleep(this.pauseMs);
    }
    await talk.eraseMarked();
    await Promise.all([talk.stop(), ...Array.from({ length: RACING }, () => talk.say('late', undefined, NOT_RUNNING))]);
    await talk.eraseIfDoomed();
  }

  surprise(what, { status, answer }) {
    this.surprises.push(`${what}: ${status} ${JSON.stringify(answer)}`);
  }
}

/** One conversation of a writer. */
class Talk {
  constructor(writers, { client, rival, random, name }) {
    this.writers = writers;
    this.client = client;
    this.rival = rival;
    this.random = random;
    this.name = name;
    this.doomed = random() < DOOMED && (random() < 0.5 ? 'session' : 'actor');
    this.contents = 0;
    this.place = { memoryId: writers.memoryId, actorId: `actor ${name}`, sessionId: `call ${name}` };
    const { memoryId, actorId, sessionId } = this.place;
    this.actorPath = path`/memory/memories/${memoryId}/actors/${actorId}`;
    this.sessionPath = `${this.actorPath}${path`/sessions/${sessionId}`}`;
    this.recordsPath = path`/memory/memories/${memoryId}/memory-records`;
    /** Sequence of the newest event, as far as known. */
    this.sequence = 0;
    /** Acknowledged events that are to be erased. */
    this.marked = [];
    this.notes = [];
  }

  async start() {
    const { client, name, place } = this;
    const started = await client.send('POST', '/v1/agents', { body: { ...place, name }, key: `start-${name}` });
    // The first attempt's answer was lost, so our own agent has the name: leave it to the next conversation.
    if (started.status === 409) return false;
    if (started.status !== 201) {
      this.writers.surprise('start', started);
      return false;
    }
    this.agentId = started.answer.id;
    await this.log({ op: 'open', conversation: { name, ...place, agentId: this.agentId } });
    return true;
  }

  act() {
    return this[URN[Math.floor(this.random() * URN.length)]]();
  }

  log(entry) {
    return this.writers.ledger.write({ at: Date.now(), name: this.name, ...entry });
  }

  /** Ends with words that are in no other message, so that a search for them has one best hit. */
  content(what, erase = Boolean(this.doomed)) {
    this.contents += 1;
    return `${what} z${this.name.replace('-', 'x')}y${this.contents}q${erase ? ` ${ERASED}` : ''}.`;
  }

  /**
   * Sends contents until they are answered, and says in the ledger what came of it.
   *
   * @param {string} action
   * @param {readonly string[]} contents
   * @param {{ url?: string, body: any, client?: PatientClient, once?: boolean, refusal?: string }} request
   *   `once`: without a retry; `refusal`: code of a refusal that is in order
   */
  async append(action, contents, { url = `${this.sessionPath}/events`, body, client = this.client, ...request }) {
    const key = randomUUID();
    await this.log({ op: 'append', key, state: 'attempted', contents });
    const header = body.eventId === undefined ? key : undefined;
    const { status, answer } = await client.send('POST', url, { body, key: header, once: request.once });
    const state = status === 200 ? 'acknowledged' : answer?.code === request.refusal && answer ? 'refused' : 'unknown';
    if (state === 'unknown' && !request.once) this.writers.surprise(action, { status, answer });
    const events = state === 'acknowledged' ? (answer.messages ?? answer.events ?? [answer]) : [];
    await this.log({ op: 'append', key, state, events });
    this.sequence = Math.max(this.sequence, ...events.map(({ sequence }) => sequence));
    if (state === 'acknowledged') await this.acknowledge(action, contents);
    return { state, answer, events };
  }

  /** @param {string} action @param {readonly string[]} [contents] */
  acknowledge(action, contents = []) {
    const { done, onAcknowledged } = this.writers;
    done.set(action, (done.get(action) ?? 0) + 1);
    this.writers.acknowledged += contents.length;
    return onAcknowledged(this.name, contents);
  }

  /** @param {string} [action] @param {string} [content] @param {string} [refusal] */
  say(action = 'say', content = this.content('We talk of'), refusal = undefined) {
    const contents = [{ role: this.random() < 0.5 || action === 'state' ? 'user' : 'assistant', content }];
    return this.append(action, [content], { url: `/v1/agents/${this.agentId}/messages`, body: { contents }, refusal });
  }

  state() {
    return this.say('state', this.doomed ? `${FACT} ${ERASED}.` : FACT);
  }

  events(action, contents, request = {}) {
    const events = contents.map((content, at) => eventOf(at % 2 === 0 ? 'user' : 'assistant', content));
    return this.append(action, contents, { body: { events }, ...request });
  }

  batch() {
    return this.events('batch', [this.content('First'), this.content('Second'), this.content('Third')]);
  }

  /** A question with its answer, for exact matches. */
  ask() {
    return this.events('ask', [this.content('What is'), this.content('It is')]);
  }

  /** All of a batch or nothing is stored, if the answer is lost. */
  giveUp() {
    // It could be carried out after the erasure.
    if (this.doomed) return this.batch();
    return this.events('giveUp', [this.content('Perhaps'), this.content('Or not')], { once: true });
  }

  /** An event with an id of its own, sent again to the other ingest. */
  async repeat() {
    const content = this.content('Again and again');
    const body = { ...eventOf('user', content), eventId: randomUUID() };
    const first = await this.append('repeat', [content], { body });
    if (first.state !== 'acknowledged') return;
    const { status, answer } = await this.rival.send('POST', `${this.sessionPath}/events`, { body });
    if (JSON.stringify(answer) !== JSON.stringify(first.answer)) this.writers.surprise('a repeat', { status, answer });
  }

  /** Two writers at the same sequence: one of them at most succeeds. */
  async contest() {
    const expectedSequence = this.sequence;
    const contend = (client) => {
      const content = this.content('Me first');
      const body = { ...eventOf('user', content), expectedSequence };
      return this.append('contest', [content], { body, client, refusal: 'session.sequence_conflict' });
    };
    const answers = await Promise.all([contend(this.client), contend(this.rival)]);
    const winners = answers.filter(({ state }) => state === 'acknowledged').length;
    if (winners > 1) this.writers.surprise('a contest', { status: 200, answer: 'both succeeded' });
    // A write that was given up may have come first.
    for (const { answer } of answers) this.sequence = Math.max(this.sequence, answer?.currentSequence ?? 0);
  }

  async erase() {
    const { events } = await this.say('say', this.content('To be forgotten', true));
    this.marked.push(...events.map(({ eventId }) => eventId));
    if (this.random() < 0.5) await this.eraseMarked();
  }

  async eraseMarked() {
    for (const eventId of this.marked.splice(0))
      await this.remove('erase', { what: 'event', eventId }, `${this.sessionPath}${path`/events/${eventId}`}`);
  }

  async eraseIfDoomed() {
    const { doomed } = this;
    if (doomed) await this.remove(doomed, { what: doomed }, doomed === 'actor' ? this.actorPath : this.sessionPath);
  }

  async remove(action, entry, url) {
    await this.log({ op: 'erase', ...entry, state: 'attempted' });
    const { status, answer } = await this.client.send('DELETE', url);
    // 404: an attempt without an answer was carried out.
    if (status !== 200 && status !== 404) return this.writers.surprise(action, { status, answer });
    await this.log({ op: 'erase', ...entry, state: 'acknowledged' });
    return this.acknowledge(action);
  }

  /** A record that is inserted directly. */
  async note() {
    const [key, text] = [randomUUID(), this.content('Noted:', this.doomed === 'actor')];
    await this.log({ op: 'note', key, text, state: 'attempted' });
    const namespace = namespaceOf(this.place.actorId);
    const url = `${this.recordsPath}:insert-directly?namespace=${encodeURIComponent(namespace)}`;
    const insert = () => this.client.send('POST', url, { body: { memoryRecords: [text] }, key: randomUUID() });
    let { status, answer } = await insert();
    // The first answer is lost, and an existing fact is not doubled.
    if (answer?.code === 'idempotency.answer_missing') ({ status, answer } = await insert());
    if (status !== 200 && status !== 201) return this.writers.surprise('note', { status, answer });
    const [{ id }] = answer.records;
    this.notes.push({ key, id });
    await this.log({ op: 'note', key, text, id, state: 'acknowledged' });
    return this.acknowledge('note');
  }

  async correct() {
    const note = this.notes.at(-1);
    if (note === undefined) return this.note();
    const text = this.content('Corrected:', this.doomed === 'actor');
    await this.log({ op: 'note', ...note, text, state: 'attempted' });
    const { status, answer } = await this.client.send('PATCH', `${this.recordsPath}/${note.id}`, {
      body: { memory: text },
    });
    if (status !== 200) return this.writers.surprise('correct', { status, answer });
    await this.log({ op: 'note', ...note, text, state: 'acknowledged' });
    return this.acknowledge('correct');
  }

  async stop() {
    await this.log({ op: 'stop', state: 'attempted' });
    const { status, answer } = await this.client.send('POST', `/v1/agents/${this.agentId}/stop`);
    if (status !== 200 && answer?.code !== NOT_RUNNING) return this.writers.surprise('stop', { status, answer });
    await this.log({ op: 'stop', state: 'acknowledged' });
    return this.acknowledge('stop');
  }
}

const eventOf = (role, message) => ({ payload: { type: 'CONVERSATIONAL', role, message } });
