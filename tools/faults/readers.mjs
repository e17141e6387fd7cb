import { apiClient, path } from '../shared/api.mjs';
import { FACT, namespaceOf } from './writers.mjs';

/** The newest messages that a window returns. */
const WINDOW = 100;

/**
 * @typedef {import('./ledger.mjs').Conversation} Conversation
 * @typedef {{ found: import('./compare.mjs').Item[], scope?: { newest?: number, only?: ReadonlySet<string>, sorted?: boolean } }} Answer
 * @typedef {(api: import('../shared/api.mjs').ApiClient & { stream: (path: string) => Promise<any[]> },
 *            conversation: Conversation, contents: readonly string[]) => Promise<Answer | null>} Read
 *   `contents` of one acknowledged request of the conversation; null: nothing to read
 */

const sessionPath = ({ memoryId, actorId, sessionId }) =>
  path`/memory/memories/${memoryId}/actors/${actorId}/sessions/${sessionId}`;
const shortTermPath = ({ memoryId, actorId, sessionId }) =>
  path`/v1/memories/${memoryId}/actors/${actorId}/sessions/${sessionId}`;
const itemOf = ({ id, sequence, payload }) => ({ eventId: id, sequence, content: payload.message });
/** A session or agent that is gone has nothing. */
const orNothing = (nothing) => (error) => {
  if (error.status !== 404) throw error;
  return nothing;
};

/**
 * Every reader of messages by name, with what it promises about an acknowledged message.
 *
 * @type {Record<string, { promise: string, read: Read }>}
 */
export const READERS = {
  session: {
    promise: 'The session has every acknowledged message once, in order',
    read: async (api, conversation) => {
      const found = [];
      for (let after = 0; after !== null;) {
        const page = await api
          .get(`${sessionPath(conversation)}/events?order=asc&size=100&after=${after}`)
          .catch(orNothing({ listData: [], next: null }));
        found.push(...page.listData.map(itemOf));
        after = page.next;
      }
      return { found };
    },
  },
  window: {
    promise: 'The window has the newest messages',
    read: async (api, conversation) => {
      const { messages } = await api
        .get(`${shortTermPath(conversation)}/context?limit=${WINDOW}`)
        .catch(orNothing({ messages: [] }));
      return { found: messages, scope: { newest: WINDOW } };
    },
  },
  history: {
    promise: "The agent's history has them",
    read: async (api, { agentId }) => {
      const { contents } = await api.get(path`/v1/agents/${agentId}/history`).catch(orNothing({ contents: [] }));
      return { found: contents.map(({ content }) => ({ content })) };
    },
  },
  'event stream': {
    promise: 'Server-sent events have them',
    read: async (api, conversation) => {
      const events = await api.stream(`${sessionPath(conversation)}/events/stream?after=0`).catch(orNothing([]));
      return { found: events.filter(({ payload }) => payload?.message !== undefined).map(itemOf) };
    },
  },
  'turn search': {
    promise: 'A search for its words finds a message',
    read: async (api, conversation, contents) => {
      const [content = ''] = contents;
      const hits = await api
        .post(`${sessionPath(conversation)}/events:search`, { query: content })
        .catch(orNothing([]));
      const found = hits.map(({ event }) => itemOf(event));
      return { found, scope: { only: new Set([content]), sorted: false } };
    },
  },
  'exact match': {
    promise: 'The exact question finds its answer',
    read: async (api, conversation, [question, answer]) => {
      if (!question?.startsWith('What is ')) return null;
      const match = await api
        .post(`${shortTermPath(conversation)}/exact-match`, { query: question })
        .catch(orNothing({ answer: null }));
      const found = match.answer === null ? [] : [{ content: match.answer, eventId: match.match.eventId }];
      return { found, scope: { only: new Set([answer]) } };
    },
  },
  'context block': {
    promise: 'A context block has a turn that is asked for',
    read: async (api, { memoryId, actorId, sessionId, ...conversation }, contents) => {
      const [content = ''] = contents;
      // In the block it is a record.
      if (content.startsWith(FACT)) return null;
      const url = path`/memory/memories/${memoryId}/actors/${actorId}/context`;
      const { text } = await api.post(url, { query: content, sessionId, budget: 1_600 }).catch(orNothing({ text: '' }));
      const known = [...conversation.requests.values()].flat().map((message) => message.content);
      const found = known
        .filter((each) => !each.startsWith(FACT) && text.includes(each))
        .map((each) => ({ content: each }));
      return { found, scope: { only: new Set([content]), sorted: false } };
    },
  },
};

/** @typedef {{ id: string, memory: string, sources: { eventId: string }[] }} MemoryRecord */

/**
 * What is wrong with the records of a conversation: those inserted directly, at any time; those extracted, after the
 * extraction has caught up.
 *
 * @param {import('../shared/api.mjs').ApiClient} api
 * @param {Conversation} conversation
 * @returns {Promise<string[]>}
 */
export const recordFaults = async (api, conversation) => {
  const { memoryId, actorId, erased } = conversation;
  const list = (namespace) =>
    api.get(path`/memory/memories/${memoryId}/memory-records?limit=1000&namespace=${namespace}`).catch(orNothing([]));
  const search = (namespace, query) =>
    api
      .post(path`/memory/memories/${memoryId}/memory-records:search?namespace=${namespace}`, { query })
      .catch(orNothing([]));
  const faults = [];
  const messages = [...conversation.requests.values()].flat();
  const fact = messages.find(({ content, state }) => state === 'acknowledged' && content.startsWith(FACT));
  /** @type {MemoryRecord[]} */
  const extracted = await list(namespaceOf(actorId));
  const idsOf = (isGone) =>
    new Set(messages.filter(({ erased: at }) => (at !== undefined) === isGone).map(({ eventId }) => eventId));
  const [stored, gone] = [idsOf(false), idsOf(true)];
  // May be stored, under an id that is not known.
  const unanswered = messages.filter(({ state }) => state === 'attempted' || state === 'unknown');
  for (const { memory, sources } of extracted) {
    const mayBeUnknown = unanswered.some(({ content }) => memory.includes(content));
    for (const { eventId } of sources)
      if (gone.has(eventId) || !(stored.has(eventId) || mayBeUnknown))
        faults.push(`cites a message that is gone: ${memory}`);
  }
  if (fact !== undefined && erased === undefined) {
    const cites = (record) => record.sources.some(({ eventId }) => eventId === fact.eventId);
    const citing = extracted.filter(cites).length;
    if (citing !== 1) faults.push(`${citing} records cite the message with the fact`);
    if (!(await search(namespaceOf(actorId), 'allergic to peanuts')).some(cites)) faults.push('the fact is not found');
  }
  return [
    ...faults,
    ...(await noteFaults(
      conversation,
      extracted.map(({ memory }) => memory),
      search,
    )),
  ].map((fault) => `${conversation.name}: ${fault}`);
};

/** @param {Conversation} conversation */
const noteFaults = async ({ notes, actorId, actorErased }, listed, search) => {
  const faults = [];
  for (const { texts, state, id } of notes.values()) {
    const current = texts.at(-1);
    if (actorErased && listed.includes(current)) faults.push(`erased record: ${current}`);
    if (state !== 'acknowledged' || actorErased) continue;
    if (listed.filter((text) => text === current).length !== 1) faults.push(`record not listed once: ${current}`);
    for (const old of texts.slice(0, -1)) if (listed.includes(old)) faults.push(`corrected record: ${old}`);
    const hits = await search(namespaceOf(actorId), current);
    if (!hits.some((hit) => hit.id === id && hit.memory === current)) faults.push(`record not found: ${current}`);
  }
  return faults;
};

/** A client that also reads a session's event stream as far as it is now. */
export const readerClient = (access) => ({
  ...apiClient(access),
  stream: async (place) => {
    const { url, key, timeoutMs = 30_000 } = access;
    const ending = new AbortController();
    const response = await fetch(new URL(place, url), {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!response.ok) throw Object.assign(new Error(`GET ${place}: ${response.status}`), { status: response.status });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      if (text.includes(': up to date')) break;
    }
    ending.abort();
    return text
      .split('\n')
      .filter((each) => each.startsWith('data:'))
      .map((each) => JSON.parse(each.slice(5)));
  },
});
