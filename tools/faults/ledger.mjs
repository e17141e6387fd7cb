import { closeSync, fsync, openSync, readFileSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fsync);

/**
 * A file of what writers attempted and what came of it, one JSON object a line. A line is on disk before its promise
 * resolves; lines that are written at the same time share an fsync.
 */
export class Ledger {
  constructor(file) {
    this.file = file;
    this.handle = openSync(file, 'a', 0o600);
    /** @type {Promise<unknown>} The sync that runs now. */
    this.running = Promise.resolve();
    /** @type {Promise<unknown> | null} The next one, which also has the lines of those that wait for it. */
    this.next = null;
    this.world = new World();
  }

  /** @param {Record<string, unknown>} entry */
  write(entry) {
    writeSync(this.handle, `${JSON.stringify(entry)}\n`);
    this.world.apply(entry);
    this.next ??= this.running.then(() => {
      this.running = sync(this.handle);
      this.next = null;
      return this.running;
    });
    return this.next;
  }

  /** What the file says, which is what survives a crash of this process. */
  readBack() {
    closeSync(this.handle);
    const world = new World();
    for (const text of readFileSync(this.file, 'utf8').split('\n')) if (text !== '') world.apply(JSON.parse(text));
    return world;
  }
}

/**
 * @typedef {object} Message
 * @property {string} content
 * @property {'attempted' | 'acknowledged' | 'refused' | 'unknown'} state
 * @property {string} [eventId] once acknowledged
 * @property {number} [sequence]
 * @property {'attempted' | 'acknowledged'} [erased]
 * @property {boolean} [erasedAfterStop] the history webhook may have been sent before
 *
 * @typedef {object} Conversation
 * @property {string} name
 * @property {string} memoryId
 * @property {string} actorId
 * @property {string} sessionId
 * @property {string} agentId
 * @property {'attempted' | 'acknowledged'} [stopped]
 * @property {'attempted' | 'acknowledged'} [erased] as a whole
 * @property {boolean} [actorErased] with its actor, so with the records inserted directly
 * @property {Map<string, Message[]>} requests
 * @property {Map<string, { id?: string, texts: string[], state: 'attempted' | 'acknowledged' }>} notes records inserted
 *   directly; the last text is the current one
 */

/** The conversations that a ledger describes. */
export class World {
  /** @type {Map<string, Conversation>} */
  conversations = new Map();

  /** @param {any} entry */
  apply(entry) {
    const { op, name, key, state } = entry;
    if (op === 'open') this.conversations.set(name, { ...entry.conversation, requests: new Map(), notes: new Map() });
    const conversation = this.conversations.get(name);
    if (conversation === undefined) return;
    if (op === 'append') this.append(conversation, entry);
    if (op === 'stop') conversation.stopped = state;
    if (op === 'erase') eraseIn(conversation, entry);
    if (op === 'note') {
      const { texts = [], id } = conversation.notes.get(key) ?? {};
      const isNew = texts.at(-1) !== entry.text;
      conversation.notes.set(key, { texts: isNew ? [...texts, entry.text] : texts, id: entry.id ?? id, state });
    }
  }

  append(conversation, { key, state, contents, events }) {
    if (state === 'attempted')
      conversation.requests.set(
        key,
        contents.map((content) => ({ content, state })),
      );
    else
      for (const [at, message] of conversation.requests.get(key).entries())
        Object.assign(message, { state, eventId: events[at]?.eventId, sequence: events[at]?.sequence });
  }
}

const eraseIn = (conversation, { what, eventId, state }) => {
  if (what !== 'event') conversation.erased = state;
  if (what === 'actor') conversation.actorErased = true;
  for (const message of messagesOf(conversation))
    if (what !== 'event' || message.eventId === eventId) {
      message.erased = state;
      message.erasedAfterStop ??= conversation.stopped !== undefined;
    }
};

/** @param {Conversation} conversation */
export const messagesOf = ({ requests }) => [...requests.values()].flat();

/**
 * What a reader of a whole conversation must, may and must not return.
 *
 * @param {Conversation} conversation
 * @returns {import('./compare.mjs').Expected}
 */
export const expectedOf = (conversation) => {
  /** @type {Message[]} */
  const messages = messagesOf(conversation);
  /** @param {Message} message */
  const isGone = ({ state, erased }) => state === 'refused' || (state === 'acknowledged' && erased === 'acknowledged');
  const never = messages.filter(isGone);
  const must = messages.filter(({ state, erased }) => state === 'acknowledged' && erased === undefined);
  const may = messages.filter((message) => !isGone(message) && !must.includes(message));
  const contents = (list) => new Set(list.map(({ content }) => content));
  return {
    must: must.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0)),
    may: contents(may),
    never: contents(never),
  };
};

/** The same for the body of its history webhook, which holds what was erased only after the stop. */
export const expectedInHistory = (conversation) => {
  const expected = expectedOf(conversation);
  const later = messagesOf(conversation).filter(({ erasedAfterStop }) => erasedAfterStop);
  for (const { content } of later) {
    expected.never.delete(content);
    expected.may.add(content);
  }
  return expected;
};
