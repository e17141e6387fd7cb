import { path } from '../../tools/shared/api.mjs';
import { until } from '../../tools/shared/wait.mjs';
import { inParallel } from '../../tools/replay/send.mjs';

const BATCH = 500;
const PARALLEL = 4;
export const namespaceOf = (actorId) => `/facts/${actorId}`;

/**
 * A memory with one actor per conversation, and its facts.
 *
 * @returns {Promise<{ memoryId: string, turnOf: Map<string, string> }>} maps event ids to turn ids
 */
export const loadConversations = async (api, conversations, note) => {
  const memory = await api.post('/memory/memories', {
    name: 'recall',
    description: '',
    eventExpiryDuration: 365,
    longTermMemoryStrategies: [
      {
        name: 'facts',
        type: 'SEMANTIC',
        namespaceTemplate: '/facts/{actorId}',
        enableAutomaticMemoryRecordGeneration: true,
      },
    ],
  });
  const memoryId = memory.memoryId ?? memory.id;
  const turnOf = new Map();
  let sent = 0;
  await inParallel(conversations, PARALLEL, async ({ actorId, sessions }) => {
    for (const { sessionId, turns } of sessions) {
      for (let first = 0; first < turns.length; first += BATCH) {
        const some = turns.slice(first, first + BATCH);
        const { events } = await api.post(
          path`/memory/memories/${memoryId}/actors/${actorId}/sessions/${sessionId}/events`,
          { events: some.map(({ event }) => event) },
        );
        events.forEach(({ eventId }, index) => turnOf.set(eventId, some[index].id));
        sent += some.length;
        note(`${sent} turns`);
      }
    }
  });
  return { memoryId, turnOf };
};

/** Triggers extraction of every session, and waits for the records. */
export const makeRecords = async (api, memoryId, conversations) => {
  await inParallel(conversations, PARALLEL, async ({ actorId, sessions }) => {
    for (const { sessionId, turns } of sessions) {
      const last = turns.length;
      await until(
        `the records of ${sessionId}`,
        async () => {
          try {
            await api.get(
              path`/memory/memories/${memoryId}/memory-records?namespace=${namespaceOf(actorId)}&limit=1&actorId=${actorId}&sessionId=${sessionId}&afterSequence=${last}&waitMs=20000`,
            );
            return true;
          } catch (error) {
            if (error.status === 504 || error.status === 429) return false;
            throw error;
          }
        },
        { timeoutMs: 300_000, everyMs: 100 },
      );
    }
  });
};
