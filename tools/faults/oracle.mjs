import { randomFrom } from '../shared/random.mjs';
import { sleep } from '../shared/wait.mjs';
import { compare, during } from './compare.mjs';
import { expectedInHistory, expectedOf, messagesOf } from './ledger.mjs';
import { READERS, readerClient, recordFaults } from './readers.mjs';

/** A read that takes longer has failed. */
const READ_MS = 4_000;
/** Conversations that are read at the same time at the end. */
const AT_ONCE = 6;

const TRIES = 5;
const insist = async (read, tries = TRIES) => {
  try {
    return await read();
  } catch (error) {
    if (tries === 1) throw error;
    await sleep(500);
    return insist(read, tries - 1);
  }
};

/** Asks every reader at every ingest about what the ledger says. */
export class Oracle {
  /** @param {{ urls: readonly string[], apiKey: string, ledger: import('./ledger.mjs').Ledger, seed: number, share: number }} what
   *   `share` of the acknowledgements that are followed by a read */
  constructor({ urls, apiKey, ledger, seed, share }) {
    this.apis = urls.map((url) => readerClient({ url, key: apiKey, timeoutMs: READ_MS }));
    this.ledger = ledger;
    this.random = randomFrom(seed + 0x0eac1e);
    this.share = share;
    /** Reads and what was wrong, by reader. @type {Record<string, { reads: number, faults: string[] }>} */
    this.found = {};
    for (const name of [...Object.keys(READERS), 'records', 'webhook', 'event 103'])
      this.found[name] = { reads: 0, faults: [] };
    /** @type {{ from: number, ms: number, answered: boolean, reader: string }[]} */
    this.times = [];
  }

  /** Right after an acknowledgement: one reader, at every ingest. */
  async look(name, contents) {
    if (contents.length === 0 || this.random() >= this.share) return;
    const readers = Object.keys(READERS);
    const reader = readers[Math.floor(this.random() * readers.length)] ?? '';
    const conversation = this.ledger.world.conversations.get(name);
    await Promise.all(this.apis.map((api) => this.read(reader, api, conversation, contents).catch(() => {})));
  }

  async read(reader, api, conversation, contents) {
    const before = expectedOf(conversation);
    const from = Date.now();
    const time = { from, ms: 0, answered: false, reader };
    this.times.push(time);
    try {
      const answer = await READERS[reader]?.read(api, conversation, contents);
      time.answered = true;
      if (!answer) return;
      this.found[reader].reads += 1;
      const expected = during(before, expectedOf(conversation));
      for (const fault of compare(expected, answer.found, answer.scope))
        this.found[reader].faults.push(`${conversation.name}, ${Date.now()}: ${fault}`);
    } finally {
      time.ms = Date.now() - from;
    }
  }

  /**
   * Every reader at every ingest about every conversation of the ledger, and its webhooks.
   *
   * @param {import('./ledger.mjs').World} world
   * @param {Awaited<ReturnType<typeof import('./histories.mjs').startHistories>>} histories
   */
  async readAll(world, histories) {
    const queue = [...world.conversations.values()].entries();
    const lane = async () => {
      for (const [at, conversation] of queue) {
        const [first, ...others] = this.apis.map((_, index) => this.apis[(at + index) % this.apis.length]);
        await this.readOne(first, conversation);
        for (const api of others) await insist(() => this.read('session', api, conversation, []));
        this.readBodies(conversation, histories);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  /** One ingest answers about a conversation; the ingests take turns. */
  async readOne(api, conversation) {
    const requests = [...conversation.requests.values()].filter(([message]) => message?.state === 'acknowledged');
    const sample = requests.map((messages) => messages.map(({ content }) => content));
    const asked = [sample.find(([content]) => content?.startsWith('What is ')), sample.at(-1)];
    for (const [reader, { read }] of Object.entries(READERS)) {
      for (const contents of read.length < 3 ? [[]] : asked) {
        if (contents) await insist(() => this.read(reader, api, conversation, contents));
      }
    }
    this.found['records'].reads += 1;
    this.found['records'].faults.push(...(await insist(() => recordFaults(api, conversation))));
  }

  /** The bodies of the history webhook: one message, the same bytes each time, exactly the history. */
  readBodies(conversation, histories) {
    for (const [format, reader] of [
      ['standard', 'webhook'],
      ['agora', 'event 103'],
    ]) {
      const bodies = histories.bodiesOf(format, conversation.agentId);
      const { faults } = this.found[reader];
      const say = (fault) => faults.push(`${conversation.name}: ${fault}`);
      this.found[reader].reads += bodies.length;
      if (bodies.length === 0 && conversation.stopped === 'acknowledged' && !conversation.erased) say('nothing came');
      if (new Set(bodies.map(({ id }) => id)).size > 1) say('several messages');
      if (new Set(bodies.map(({ digest }) => digest)).size > 1) say('other bytes in another attempt');
      for (const { contents } of bodies.slice(0, 1))
        compare(
          expectedInHistory(conversation),
          contents.map((content) => ({ content })),
        ).forEach(say);
    }
  }

  /** Ids of all events that must be on the streams. @returns {string[]} */
  eventIds(world) {
    const messages = [...world.conversations.values()].flatMap(messagesOf);
    return messages
      .filter(({ state, erased }) => state === 'acknowledged' && !erased)
      .map(({ eventId = '' }) => eventId);
  }
}
