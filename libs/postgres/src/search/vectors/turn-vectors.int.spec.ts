import { randomUUID } from 'node:crypto';
import {
  EmbeddingFailed,
  type Embedder,
  type SessionScope,
  type TurnHit,
  type TurnScope,
} from '@turnkeeper/application';
import type { NewEvent } from '@turnkeeper/domain';
import { createTestDatabase, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';

const says = (role: string, content: string) => {
  const data = { payloadType: 'CONVERSATIONAL', role, content };
  return { eventId: randomUUID(), type: 'message.appended', schemaVersion: 1, occurredAt: null, data } as const;
};

/** Embeds three topics, and rejects a text that asks for it. */
class TopicEmbedder implements Embedder {
  failure: Error | null = null;
  asked = 0;

  constructor(
    readonly model: string,
    readonly dimensions = 8,
  ) {}

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    signal.throwIfAborted();
    this.asked += texts.length;
    if (this.failure !== null) throw this.failure;
    if (texts.some((text) => text.includes('unspeakable'))) throw new EmbeddingFailed('model.request_rejected', '400');
    const topics = [/pet|puppy|dog|beagle/iu, /kitchen|dishwasher|appliance/iu, /holiday|beach|sea/iu];
    return texts.map((text) => {
      const vector = Array.from({ length: this.dimensions }, (_, at): number =>
        topics[at]?.test(text) === true ? 1 : 0,
      );
      // Keeps texts on none of the topics from all being alike.
      vector[topics.length + (text.length % 5)] = 0.1;
      return vector;
    });
  }
}

describe('turn vectors', () => {
  let database: TestDatabase;
  let sql: pg.Client;
  const stores: PgEventStore[] = [];
  const failures: unknown[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    sql = new pg.Client(database.url);
    await sql.connect();
  });
  afterEach(async () => {
    failures.length = 0;
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  /** A process with this model. Earlier models are available by default. */
  const start = (current: Embedder, earlier: readonly Embedder[] = []): PgEventStore => {
    const of = (model: string) => [current, ...earlier].find((one) => one.model === model) ?? null;
    const store = createEventStore({
      databaseUrl: database.url,
      roles: { app: 'turnkeeper_app', system: 'turnkeeper_system' },
      embedders: { current, of, close: async () => undefined },
      onEmbeddingFailure: (error) => failures.push(error),
    });
    stores.push(store);
    return store;
  };
  const settle = async (store: PgEventStore): Promise<number> => {
    for (let left = 1; left > 0;) left = await store.turns.catchUp(5_000);
    let refused = 0;
    for (let left = 1; left > 0;) {
      const progress = await store.vectors!.turns!.step(new AbortController().signal);
      refused += progress.refused;
      left = progress.left;
    }
    // The step that finds nothing left marks the model as complete.
    await store.vectors!.turns!.step(new AbortController().signal);
    return refused;
  };
  const search = (store: PgEventStore, scope: TurnScope, text: string): Promise<TurnHit[]> =>
    store.turns.search(scope, { text, limit: 10, scoreThreshold: 0, window: 0 });
  const contents = async (...asked: Parameters<typeof search>) =>
    (await search(...asked)).map(({ event }) => event.data.content);
  const append = (store: PgEventStore, scope: SessionScope, ...events: NewEvent[]) =>
    store.append({ ...scope, events });
  const vectorsOf = async ({ tenantId }: TurnScope) =>
    (await sql.query('select from turn_vectors where tenant_id = $1', [tenantId])).rowCount;
  const dialogue = () => [
    says('user', 'We finally adopted Biscuit, a beagle.'),
    says('assistant', 'How lovely.'),
    says('user', 'Then the dishwasher broke.'),
    says('assistant', 'Oh no.'),
    says('user', 'So the trip to the sea has to wait.'),
  ];

  it('follow what was heard of a turn', async () => {
    const store = start(new TopicEmbedder('heard'));
    const scope = await newSession(store);
    const said = says('assistant', 'I would adopt a beagle.');
    const cut = (heard: string) => ({
      ...{ eventId: randomUUID(), type: 'message.interrupted' as const, schemaVersion: 1, occurredAt: null },
      data: { messageEventId: said.eventId, heard },
    });
    await append(store, scope, said, says('user', 'Stop.'));
    await settle(store);
    expect((await contents(store, scope, 'Any pets?'))[0]).toBe('I would adopt a beagle.');
    await append(store, scope, cut('I would'));
    await settle(store);
    expect(await contents(store, scope, 'Any pets?')).toEqual([]);
    const vectors = await vectorsOf(scope);
    await append(store, scope, cut(''));
    await settle(store);
    expect(await vectorsOf(scope)).toBe((vectors ?? 0) - 1);
  });

  it('find a turn that shares no word with the question, and count in the score', async () => {
    const store = start(new TopicEmbedder('first'));
    const scope = await newSession(store);
    await append(store, scope, ...dialogue());
    await store.turns.catchUp(5_000);
    expect(await contents(store, scope, 'Any pets?')).toEqual([]);
    await settle(store);
    const [hit] = await search(store, scope, 'Any pets?');
    expect(hit?.event.data.content).toBe('We finally adopted Biscuit, a beagle.');
    expect(hit?.parts.meaning).toBeGreaterThan(0);
    expect(await contents(store, scope, 'quantum chromodynamics')).toEqual([]);
    expect(await contents(store, { ...scope, tenantId: randomUUID() }, 'Any pets?')).toEqual([]);
  });

  it('rank turns with equally many shared words by meaning', async () => {
    const store = start(new TopicEmbedder('first'));
    const scope = await newSession(store);
    await append(store, scope, says('user', 'The big green beach.'));
    await append(store, { ...scope, sessionId: 'b' }, says('user', 'The big green dog.'));
    await settle(store);
    const { tenantId, memoryId, actorId } = scope;
    const of = { tenantId, memoryId, actorId };
    expect(await contents(store, of, 'big green pet')).toEqual(['The big green dog.', 'The big green beach.']);
    expect(await contents(store, of, 'big green holiday')).toEqual(['The big green beach.', 'The big green dog.']);
  });

  it('are deleted with their events', async () => {
    const store = start(new TopicEmbedder('first'));
    const scope = await newSession(store);
    const [first, ...others] = dialogue();
    await append(store, scope, first!, ...others);
    await settle(store);
    expect(await vectorsOf(scope)).toBe(5);
    await sql.query('delete from events where event_id = $1', [first!.eventId]);
    expect(await vectorsOf(scope)).toBe(4);
    await sql.query('delete from events where tenant_id = $1', [scope.tenantId]);
    expect(await vectorsOf(scope)).toBe(0);
  });

  it('are not stored for a turn that is being deleted', async () => {
    const store = start(new TopicEmbedder('first'));
    const scope = await newSession(store);
    await settle(store);
    const [first, second, third] = dialogue();
    await append(store, scope, first!, second!, third!);
    await sql.query('begin');
    await sql.query('delete from events where event_id = $1', [second!.eventId]);
    // Stops before the event that is being deleted, without waiting.
    expect((await store.vectors!.turns!.step(new AbortController().signal)).left).toBe(2);
    expect(await vectorsOf(scope)).toBe(1);
    await sql.query('commit');
    await settle(store);
    expect(await vectorsOf(scope)).toBe(2);
  });

  it('skip only the turn that the model rejects', async () => {
    const store = start(new TopicEmbedder('first'));
    const scope = await newSession(store);
    await append(store, scope, says('user', 'an unspeakable thing'), ...dialogue());
    expect(await settle(store)).toBe(1);
    expect(await vectorsOf(scope)).toBe(5);
    expect(await contents(store, scope, 'unspeakable')).toContain('an unspeakable thing');
  });

  it('are skipped while the model fails, reported once and not retried immediately', async () => {
    const embedder = new TopicEmbedder('first');
    const store = start(embedder);
    const scope = await newSession(store);
    await append(store, scope, ...dialogue());
    await settle(store);
    embedder.failure = new EmbeddingFailed('model.unreachable', 'connection refused');
    const before = embedder.asked;
    for (const text of ['the dishwasher', 'a dishwasher', 'dishwasher']) {
      expect(await contents(store, scope, text)).toContain('Then the dishwasher broke.');
    }
    expect(failures).toEqual([embedder.failure]);
    expect(embedder.asked).toBe(before + 1);
  });

  it('of an earlier model are used until the new one has embedded everything, and then deleted', async () => {
    const earlier = new TopicEmbedder('first');
    const before = start(earlier);
    const scope = await newSession(before);
    await append(before, scope, ...dialogue());
    await settle(before);

    const next = new TopicEmbedder('second', 9);
    const after = start(next, [earlier]);
    await after.vectors!.register();
    expect(await contents(after, scope, 'Any pets?')).toContain('We finally adopted Biscuit, a beagle.');
    expect(next.asked).toBe(0);
    await settle(after);
    const models = async () => (await sql.query('select model from embedding_models order by 1')).rows;
    expect(await models()).toEqual([{ model: 'second' }]);
    expect(await vectorsOf(scope)).toBe(5);
    const anew = start(next);
    expect(await contents(anew, scope, 'Any pets?')).toContain('We finally adopted Biscuit, a beagle.');
  });

  it('are rejected if their dimensions differ from the configuration', async () => {
    const store = start(new TopicEmbedder('third', 8));
    await store.vectors!.register();
    await expect(start(new TopicEmbedder('third', 9)).vectors!.register()).rejects.toThrow(
      'EMBEDDINGS_DIMENSIONS is 9, but the stored vectors of third have 8.',
    );
  });
});
