import { allEvents, path } from '../shared/api.mjs';
import { eventsPath } from '../replay/send.mjs';

/**
 * Looks for everything that was acknowledged in everything that reads it.
 *
 * @param {{ api: import('../shared/api.mjs').ApiClient, histories: any,
 *           conversations: readonly import('./writers.mjs').Conversation[] }} what
 * @returns {Promise<Record<string, string[]>>} what is missing or wrong, by reader
 */
export const checkReaders = async ({ api, histories, conversations }) => {
  /** @type {Record<'session' | 'order' | 'history' | 'webhook' | 'event 103' | 'records', string[]>} */
  const faults = { session: [], order: [], history: [], webhook: [], 'event 103': [], records: [] };
  const queue = conversations.values();
  const check = async () => {
    for (const conversation of queue) await checkConversation(api, histories, conversation, faults);
  };
  await Promise.all(Array.from({ length: 8 }, check));
  return faults;
};

const checkConversation = async (api, histories, conversation, faults) => {
  const { memoryId, agentId, sessionId, acknowledged, stopped } = conversation;
  const events = await allEvents(api, eventsPath(memoryId, conversation));
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const { eventId, sequence, content } of acknowledged) {
    const event = byId.get(eventId);
    if (event?.payload.message !== content || event.sequence !== sequence)
      faults.session.push(`${sessionId}: ${content}`);
  }
  // The agent's start and stop also take sequence numbers.
  const ordered = events.every(({ sequence }, index) => index === 0 || sequence > events[index - 1].sequence);
  const repeated = new Set(events.map(({ payload }) => payload.message)).size !== events.length;
  if (!ordered || repeated) faults.order.push(sessionId);

  const history = await api.get(path`/v1/agents/${agentId}/history`).catch(unlessUnknown);
  missing(acknowledged, history && new Set(history.contents.map(({ content }) => content)), sessionId, faults.history);
  if (stopped) {
    missing(acknowledged, histories.of('standard', agentId), sessionId, faults.webhook);
    missing(acknowledged, histories.of('agora', agentId), sessionId, faults['event 103']);
  }
  if (conversation.factEventId !== undefined) await checkRecord(api, conversation, faults.records);
};

/** An agent that is gone is a fault like any other. */
const unlessUnknown = (error) => {
  if (error.status !== 404) throw error;
};

/**
 * @param {Set<string> | undefined} found undefined: nothing arrived
 */
const missing = (acknowledged, found, sessionId, faults) => {
  if (found === undefined) faults.push(`${sessionId}: nothing came`);
  else for (const { content } of acknowledged) if (!found.has(content)) faults.push(`${sessionId}: ${content}`);
};

/** The stated fact is one record that cites its message. */
const checkRecord = async (api, { memoryId, actorId, sessionId, factEventId }, faults) => {
  const records = await api.get(path`/memory/memories/${memoryId}/memory-records?namespace=${`/facts/${actorId}`}`);
  const citing = records.filter(({ sources }) => sources.some(({ eventId }) => eventId === factEventId));
  if (citing.length !== 1) faults.push(`${sessionId}: ${citing.length} records cite the fact's message`);
};
