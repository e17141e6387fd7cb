import { randomUUID } from 'node:crypto';
import { CorrectRecord, DeleteRecord, EmbeddingFailed, InsertRecords, type Embedder } from '@turnkeeper/application';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createEventStore,
  PgRecordReader,
  PgRecordWriter,
  TypeOrmMemoryStore,
  TypeOrmUnitOfWork,
  type PgEventStore,
} from '../../index.js';
import { ReadModelDatabase } from '../../testing/read-model-database.js';

const TOPICS = [/pet|puppy|beagle|bello/iu, /kitchen|dishwasher/iu, /holiday|beach/iu];

/** Knows three topics; rejects a text that asks for it. */
class TopicEmbedder implements Embedder {
  readonly dimensions = 8;
  readonly texts: string[] = [];
  down = false;

  constructor(readonly model: string) {}

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    signal.throwIfAborted();
    if (this.down) throw new EmbeddingFailed('model.unreachable', 'down');
    if (texts.some((text) => text.includes('unspeakable'))) throw new EmbeddingFailed('model.request_rejected', '400');
    this.texts.push(...texts);
    return texts.map((text) => {
      const vector = Array.from({ length: this.dimensions }, (_, at): number =>
        TOPICS[at]?.test(text) === true ? 1 : 0,
      );
      vector[TOPICS.length + (text.length % 5)] = 0.1;
      return vector;
    });
  }
}

const NAMESPACE = '/ada';

describe('vectors of records', () => {
  let database: ReadModelDatabase;
  let memory: Awaited<ReturnType<ReadModelDatabase['memory']>>;
  const stores: PgEventStore[] = [];
  const failures: unknown[] = [];
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
  });
  beforeEach(async () => {
    memory = await database.memory();
  });
  afterEach(async () => {
    failures.length = 0;
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  afterAll(() => database?.close());

  /** A process with this model. */
  const start = (current: Embedder, earlier: readonly Embedder[] = []) => {
    const of = (model: string) => [current, ...earlier].find((one) => one.model === model) ?? null;
    const store = createEventStore({
      databaseUrl: database.url,
      embedders: { current, of, close: async () => undefined },
      onEmbeddingFailure: (error) => failures.push(error),
    });
    stores.push(store);
    const reader = new PgRecordReader(database.dataSource, store.vectors!.recordMeaning);
    const deps = {
      unitOfWork: new TypeOrmUnitOfWork(database.dataSource, store.staging),
      memories: new TypeOrmMemoryStore(database.dataSource),
      records: reader,
      recordWriter: new PgRecordWriter(),
      erasure: store.erasure,
      ids: { next: () => randomUUID(), derive: () => randomUUID() },
    };
    const { tenantId, memoryId } = memory;
    const embed = async (): Promise<number> => {
      let refused = 0;
      for (let left = 1; left > 0;) {
        const progress = await store.vectors!.records.step(new AbortController().signal);
        refused += progress.refused;
        left = progress.left;
      }
      // Marks the model as complete.
      await store.vectors!.records.step(new AbortController().signal);
      return refused;
    };
    return {
      store,
      embed,
      insert: async (...texts: string[]): Promise<string[]> => {
        const inputs = texts.map((text) => ({ text, namespace: NAMESPACE, strategyId: null }));
        const outcomes = await new InsertRecords(deps).execute(tenantId, memoryId, inputs);
        return outcomes.map(({ recordId }) => recordId);
      },
      correct: (recordId: string, text: string) => new CorrectRecord(deps).execute(tenantId, memoryId, recordId, text),
      remove: (recordId: string) => new DeleteRecord(deps).execute(tenantId, memoryId, recordId),
      /** Texts that answer. */
      find: async (text: string): Promise<string[]> => {
        const query = { text, limit: 10, scoreThreshold: 0.5 };
        return (await reader.search(tenantId, memoryId, NAMESPACE, query)).map((hit) => hit.text);
      },
      hits: (text: string) => reader.search(tenantId, memoryId, NAMESPACE, { text, limit: 10, scoreThreshold: 0 }),
    };
  };
  const vectors = () =>
    database.rows<{ record_id: string; bytes: number }>(
      'select record_id, length(vector) as bytes from record_vectors where tenant_id = $1',
      [memory.tenantId],
    );

  it('find an inserted record that shares no word with the question', async () => {
    const { insert, embed, find, hits } = start(new TopicEmbedder('one'));
    await insert('Called the newcomer Bello.', 'The dishwasher is broken.');
    expect(await find('Any pets?')).toEqual([]);
    await embed();
    expect(await find('Any pets?')).toEqual(['Called the newcomer Bello.']);
    const [best] = await hits('Any pets?');
    expect(best?.foundBy).toEqual({ words: 0, meaning: expect.closeTo(1, 1), turns: 0 });
  });

  it('find a record that was written after the vectors were read', async () => {
    const { insert, embed, find } = start(new TopicEmbedder('one'));
    await insert('Adopted a beagle.');
    await embed();
    expect(await find('Any pets?')).toHaveLength(1);
    await insert('Walks the puppy at six.');
    await embed();
    expect(await find('Any pets?')).toHaveLength(2);
  });

  it('are not missed by the words of a record that has none yet', async () => {
    const { insert, embed, find } = start(new TopicEmbedder('one'));
    await insert('The dishwasher is broken.');
    await embed();
    await insert('Adopted a beagle.');
    expect(await find('Any pets?')).toEqual(['Adopted a beagle.']);
  });

  it('follow a correction and go with their record', async () => {
    const { insert, embed, find, correct, remove } = start(new TopicEmbedder('one'));
    const [recordId = ''] = await insert('Adopted a beagle.');
    await embed();
    await correct(recordId, 'Spends August at the beach.');
    expect(await vectors()).toEqual([]);
    await embed();
    expect(await find('Any pets?')).toEqual([]);
    expect(await find('Where are the holidays?')).toEqual(['Spends August at the beach.']);
    await remove(recordId);
    expect(await vectors()).toEqual([]);
    expect(await find('Where are the holidays?')).toEqual([]);
  });

  it('are not those of a text that was corrected while it was embedded', async () => {
    const embedder = new TopicEmbedder('one');
    const { insert, embed, find, correct } = start(embedder);
    const [recordId = ''] = await insert('Adopted a beagle.');
    const original = embedder.embed.bind(embedder);
    embedder.embed = async (texts, signal) => {
      const found = await original(texts, signal);
      if (texts[0]?.includes('beagle') === true) await correct(recordId, 'Spends August at the beach.');
      return found;
    };
    await embed();
    embedder.embed = original;
    expect(await find('Any pets?')).toEqual([]);
    expect(await find('Where are the holidays?')).toEqual(['Spends August at the beach.']);
  });

  it('are written once the model answers again, and a rejected text does not block others', async () => {
    const embedder = new TopicEmbedder('one');
    const { insert, embed, find } = start(embedder);
    await insert('Something unspeakable.', 'Adopted a beagle.');
    embedder.down = true;
    await expect(embed()).rejects.toThrow(EmbeddingFailed);
    embedder.down = false;
    expect(await embed()).toBe(1);
    expect(await find('Any pets?')).toEqual(['Adopted a beagle.']);
    // The rejected text is not sent again.
    await insert('Has a new kitchen.');
    expect(await embed()).toBe(0);
  });

  it('of an event with more records than a step embeds are all written', async () => {
    const { insert, embed } = start(new TopicEmbedder('one'));
    await insert(...Array.from({ length: 300 }, (_, at) => `Fact number ${at}.`));
    await embed();
    expect(await vectors()).toHaveLength(300);
  });

  it('are asked for once if several events wrote the record', async () => {
    const embedder = new TopicEmbedder('corrected-before');
    const { embed, insert, correct } = start(embedder);
    const [id] = (await insert('Has a cat.')) as [string];
    await correct(id, 'Has a parrot.');
    await embed();
    expect(embedder.texts.filter((text) => /cat|parrot/u.test(text))).toEqual(['Has a parrot.']);
  });

  it('are looked for in no more events than a step embeds', async () => {
    const { embed, insert } = start(new TopicEmbedder('looked-for'));
    await embed();
    const [first] = await insert('Has a cat.');
    await insert('Has a dog.');
    // Reading the last event fails.
    const edit = (from: string, to: string) =>
      database.rows(`do $$ begin
        alter table events disable trigger user;
        update events set data = replace(data::text, '${from}', '${to}')::json
          where partition = 0 and position = (select max(position) from events);
        alter table events enable trigger user;
      end $$`);
    await edit('"recordId":"', '"recordId":"?');
    const listed = await database
      .rows<{ record_id: string }>(
        `select l.record_id from embedding_models m
           cross join lateral list_unembedded_records(m.model_id, m.records_position, 1000000, 1) l
          where m.model = 'looked-for'`,
      )
      .finally(() => edit('"recordId":"?', '"recordId":"'));
    expect(listed).toEqual([{ record_id: first }]);
    expect(await embed()).toBe(0);
  });

  it('of another model replace them, and serve until these exist', async () => {
    const earlier = new TopicEmbedder('earlier');
    const before = start(earlier);
    await before.insert('Adopted a beagle.');
    await before.embed();
    const { embed, find } = start(new TopicEmbedder('later'), [earlier]);
    expect(await find('Any pets?')).toEqual(['Adopted a beagle.']);
    await embed();
    expect(await find('Any pets?')).toEqual(['Adopted a beagle.']);
    expect(await vectors()).toHaveLength(1);
  });

  it('are not searched while the model does not answer: words are', async () => {
    const embedder = new TopicEmbedder('one');
    const { insert, embed, find } = start(embedder);
    await insert('Adopted a beagle.');
    await embed();
    embedder.down = true;
    expect(await find('Adopted any pets?')).toEqual(['Adopted a beagle.']);
    expect(failures).toHaveLength(1);
  });

  it('are not waited for while the model is loaded: words are searched', async () => {
    const embedder = new TopicEmbedder('one');
    const { insert, embed, find } = start(embedder);
    await insert('Adopted a beagle.');
    await embed();
    let isLoaded = false;
    Object.assign(embedder, { isLoaded: () => isLoaded });
    expect(await find('Adopted any pets?')).toEqual(['Adopted a beagle.']);
    expect(embedder.texts).toHaveLength(1);
    isLoaded = true;
    await find('Adopted any pets?');
    expect(embedder.texts).toHaveLength(2);
    expect(failures).toEqual([]);
  });

  it('that do not exist cost no question to the model', async () => {
    const embedder = new TopicEmbedder('one');
    const { insert, embed, find } = start(embedder);
    await insert('Adopted a beagle.');
    await embed();
    memory = await database.memory();
    const texts = embedder.texts.length;
    await start(embedder).find('Any pets?');
    expect(embedder.texts).toHaveLength(texts);
    await find('Any pets?');
    expect(embedder.texts).toHaveLength(texts + 1);
  });

  it('of other namespaces and tenants are not compared', async () => {
    const first = start(new TopicEmbedder('one'));
    await first.insert('Adopted a beagle.');
    await first.embed();
    memory = await database.memory();
    const second = start(new TopicEmbedder('one'));
    await second.insert('Has a new kitchen.');
    await second.embed();
    expect(await second.find('Any pets?')).toEqual([]);
    expect(await second.find('Is the dishwasher new?')).toEqual(['Has a new kitchen.']);
  });
});
