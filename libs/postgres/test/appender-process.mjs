// One process that appends. Prints the ids of every acknowledged request as a JSON line, and a summary at the end.
// Usage: node appender-process.mjs '{"databaseUrl", "tenantId", "memoryId", "sessions", "events", "inFlight", "lanes"}'
import { randomInt, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

// Loaded from the sources, like the tests: a separate process must not run a stale build.
const { createEventStore } = (
  await runnerImport(fileURLToPath(new URL('../src/index.ts', import.meta.url)), {
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@turnkeeper/source', 'node'] },
  })
).module;

const config = JSON.parse(process.argv[2]);
const store = createEventStore({ databaseUrl: config.databaseUrl, lanes: config.lanes });
const summary = { appended: 0, conflicts: 0, batches: 0 };
let left = config.events;

const message = () => ({
  eventId: randomUUID(),
  type: 'message.appended',
  schemaVersion: 1,
  occurredAt: null,
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content: 'one of many' },
});

/** Appends 1–50 events at a time to sessions that other processes write to as well. */
const client = async () => {
  while (left > 0) {
    const events = Array.from({ length: Math.min(left, randomInt(1, 51)) }, message);
    left -= events.length;
    const scope = {
      tenantId: config.tenantId,
      memoryId: config.memoryId,
      actorId: 'shared',
      sessionId: `session ${randomInt(config.sessions)}`,
    };
    // Now and then with an expected sequence, which another writer may have made stale.
    let expectedSequence = randomInt(10) === 0 ? await store.sessionSequence(scope) : undefined;
    for (;;) {
      try {
        const appended = await store.append({
          ...scope,
          events,
          ...(expectedSequence === undefined ? {} : { expectedSequence }),
        });
        summary.appended += appended.count;
        process.stdout.write(`${JSON.stringify(events.map((event) => event.eventId))}\n`);
        break;
      } catch (error) {
        if (error.code !== 'session.sequence_conflict') throw error;
        summary.conflicts += 1;
        expectedSequence = undefined;
      }
    }
  }
};

await Promise.all(Array.from({ length: config.inFlight }, client));
await store.close();
process.stdout.write(`${JSON.stringify(summary)}\n`);
