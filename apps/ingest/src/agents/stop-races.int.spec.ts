import { randomUUID } from 'node:crypto';
import { AppendToAgent, CreateMemory, historyOfAgent, StartAgent, StopAgent } from '@turnkeeper/application';
import { createMemoryBody } from '@turnkeeper/contracts';
import { AgentNotRunning, type Agent } from '@turnkeeper/domain';
import { createEventStore, migrateLog } from '@turnkeeper/event-store';
import { createDataSource, DatabaseClock, EnvelopeCipher, migrateReadModels } from '@turnkeeper/read-models';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '../stores.js';

const RACES = 1_000;
const AT_ONCE = 20;
const APPENDS = 4;
const tenantId = randomUUID();

const PLAIN_TEXT = new EnvelopeCipher({ keys: [], sealing: false });

let database: TestDatabase;
const closing: (() => Promise<unknown>)[] = [];

/** Everything that an ingest has of its own: pools, lanes and stores. */
const ingest = async (): Promise<Stores> => {
  const dataSource = createDataSource({ url: database.url, poolSize: 8 });
  await dataSource.initialize();
  const eventStore = createEventStore({ databaseUrl: database.url, readers: 4 });
  closing.push(
    () => eventStore.close(),
    () => dataSource.destroy(),
  );
  return createStores({ dataSource, cipher: PLAIN_TEXT, eventStore, clock: await DatabaseClock.start(dataSource) });
};

let one: Stores;
let other: Stores;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrateLog(database.url);
  await migrateReadModels(database.url);
  [one, other] = [await ingest(), await ingest()];
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.drop();
});

it(`loses no acknowledged message in ${RACES} races of appends with a stop on another ingest`, async () => {
  const body = createMemoryBody.parse({ name: 'races' });
  const { memoryId } = (await new CreateMemory(one).execute(tenantId, body)).memory;
  const say = ({ agentId }: Agent, content: string, stores: Stores) =>
    new AppendToAgent(stores).execute(tenantId, agentId, [{ payloadType: 'CONVERSATIONAL', role: 'user', content }], {
      idempotencyKey: content,
      fingerprint: () => Buffer.from(content).toString('hex'),
    });
  let refused = 0;

  const race = async (number: number): Promise<void> => {
    const agent = await new StartAgent(one).execute(tenantId, {
      ...{ memoryId, actorId: `actor ${number % AT_ONCE}`, sessionId: `session ${number}`, name: `agent ${number}` },
      ...{ vendor: 'openai', systemMessages: [], params: {}, maxHistory: 12, labels: {}, channel: null },
    });
    const stopped = new StopAgent(other).execute(tenantId, agent.agentId, 'requested');
    const contents = Array.from({ length: APPENDS }, (_, index) => `message ${number}.${index}`);
    const appends = await Promise.allSettled(contents.map((content) => say(agent, content, one)));
    const ended = await stopped;
    const acknowledged = contents.filter((_, index) => appends[index]?.status === 'fulfilled');
    for (const append of appends) {
      if (append.status === 'rejected') expect(append.reason).toBeInstanceOf(AgentNotRunning);
    }
    refused += APPENDS - acknowledged.length;
    // What a history and the webhook of the stop are made from.
    const history = await historyOfAgent(other.eventStore, ended);
    expect(history.flatMap(({ data }) => ('content' in data ? [data.content] : []))).toEqual(
      expect.arrayContaining(acknowledged),
    );
    expect(history).toHaveLength(acknowledged.length);
    await expect(say(agent, `late ${number}`, one)).rejects.toThrow(AgentNotRunning);
    for (const [index, content] of contents.entries()) {
      const append = appends[index];
      if (append?.status !== 'fulfilled') continue;
      expect(await say(agent, content, other)).toEqual(append.value);
      break;
    }
  };

  for (let first = 0; first < RACES; first += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(first + index)));
  }
  // Otherwise nothing raced.
  expect(refused).toBeGreaterThan(RACES / 20);
  expect(refused).toBeLessThan(RACES * APPENDS);
}, 120_000);
