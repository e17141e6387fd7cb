import { randomUUID } from 'node:crypto';
import type { SessionScope, TurnScope } from '@turnkeeper/application';
import type { NewEvent } from '@turnkeeper/domain';
import { createTestDatabase, newSession, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

/** Searches right after an acknowledged append. Misses were rare: `SEARCH_RACES=5000` runs the long form. */
const SEARCHES = Number(process.env['SEARCH_RACES'] ?? 900);
const WRITERS = 6;

const says = (content: string): NewEvent => ({
  ...{ eventId: randomUUID(), type: 'message.appended', schemaVersion: 1, occurredAt: null },
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content },
});

let database: TestDatabase;
let store: PgEventStore;
beforeAll(async () => {
  database = await createTestDatabase(migrateDatabase);
  store = createEventStore({
    databaseUrl: database.url,
    roles: { app: 'turnkeeper_app', system: 'turnkeeper_system' },
  });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

/** Distinct words of letters only, which no stemmer changes into one another. */
const wordOf = (writer: number, turn: number): string =>
  `q${[...`${writer}x${turn}`].map((digit) => 'bcdfghjkmnz'[digit === 'x' ? 10 : Number(digit)]).join('')}q`;

it(
  'finds each acknowledged message once, while others write to the same actor and the index follows',
  async () => {
    const first = await newSession(store);
    const { tenantId, memoryId, actorId } = first;
    const missed: string[] = [];
    const repeated: string[] = [];
    let isWriting = true;
    const index = async () => {
      while (isWriting) {
        await store.turns.catchUp(5_000);
        await new Promise((done) => setTimeout(done, 2));
      }
    };
    const write = async (writer: number) => {
      for (let turn = 0; turn < SEARCHES / WRITERS; turn += 1) {
        const word = wordOf(writer, turn);
        // A new session every now and then, and every third writer in one that all share.
        const sessionId = writer % 3 === 0 ? 'shared' : `session ${writer} ${Math.floor(turn / 20)}`;
        const event = says(`We keep the ${word} behind the shed`);
        await store.append({ ...first, sessionId, events: [event] });
        const scopes: TurnScope[] = [
          { tenantId, memoryId, actorId },
          { tenantId, memoryId, actorId, sessionId },
          { tenantId, memoryId },
        ];
        const scope = scopes[turn % 4] ?? { tenantId, memoryId, actorId };
        const hits = await store.turns.search(scope, { text: word, limit: 10, scoreThreshold: 0, window: 0 });
        const found = hits.filter((hit) => hit.event.eventId === event.eventId).length;
        if (found === 0) missed.push(`${word} in ${JSON.stringify(scope)}`);
        if (found > 1) repeated.push(word);
      }
    };
    const indexing = index();
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    isWriting = false;
    await indexing;
    expect({ missed, repeated }).toEqual({ missed: [], repeated: [] });
  },
  30_000 + 60 * SEARCHES,
);

describe('in a long session that the index has not read to its end', () => {
  /** More than a search reads of what is not indexed. */
  const LONG = 2_100;
  const ASKED = { limit: 1, scoreThreshold: 0, window: 0 };
  const picture = (): NewEvent => ({
    ...{ eventId: randomUUID(), type: 'binary.appended', schemaVersion: 1, occurredAt: null },
    data: { payloadType: 'BINARY', binaryData: 'aGk=' },
  });
  const append = async (to: SessionScope, events: readonly NewEvent[]) => {
    for (let at = 0; at < events.length; at += 100) await store.append({ ...to, events: events.slice(at, at + 100) });
  };
  const upToDate = async () => {
    for (let left = 1; left > 0;) left = await store.turns.catchUp(5_000);
  };
  const found = async (scope: TurnScope, text: string) =>
    (await store.turns.search(scope, { ...ASKED, text })).map(({ event }) => event.data.content);

  it.each<[what: string, filler: () => NewEvent, isIndexed: boolean]>([
    ['events that are no turns', picture, true],
    ['turns, far behind the end of the log', () => says('We talked about the weather'), false],
  ])('finds a message after many %s', async (_, filler, isIndexed) => {
    const session = await newSession(store);
    await append(session, [says('Good morning')]);
    await upToDate();
    await append(session, Array.from({ length: LONG }, filler));
    if (isIndexed) await upToDate();
    await append(session, [says('The marzipan is behind the shed')]);
    const { tenantId, memoryId, actorId } = session;
    expect(await found({ tenantId, memoryId, actorId }, 'marzipan')).toEqual(['The marzipan is behind the shed']);
    await append(session, [says('The pumpernickel is behind the shed')]);
    expect(await found(session, 'pumpernickel')).toEqual(['The pumpernickel is behind the shed']);
  });
});
