import {
  AppendToAgent,
  contextOfAgent,
  FailAgent,
  historyOfAgent,
  InterruptAgent,
  RebuildProjections,
  ResetAgent,
  StartAgent,
  StopAgent,
  StopIdleAgents,
  UpdateAgent,
  windowOfAgent,
  CreateMemory,
  type RepeatKey,
} from '@turnkeeper/application';
import { createMemoryBody } from '@turnkeeper/contracts';
import type { Agent, MessageAppended } from '@turnkeeper/domain';
import {
  createDataSource,
  createEventStore,
  DatabaseClock,
  EnvelopeCipher,
  migrateDatabase,
  PgShadowProjections,
} from '@turnkeeper/postgres';
import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStores, type Stores } from '@turnkeeper/runtime';

const ONCE: RepeatKey = { fingerprint: () => '' };
const tenantId = randomUUID();

describe('an agent on a real database', () => {
  let database: TestDatabase;
  let stores: Stores;
  let memoryId: string;
  let rebuild: () => Promise<unknown>;
  let close: () => Promise<void>;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    const dataSource = createDataSource({ url: database.url, poolSize: 4 });
    await dataSource.initialize();
    const eventStore = createEventStore({ databaseUrl: database.url, readers: 4 });
    stores = createStores({
      dataSource,
      cipher: new EnvelopeCipher({ keys: [], sealing: false }),
      eventStore,
      clock: await DatabaseClock.start(dataSource),
    });
    rebuild = () => new RebuildProjections({ ...stores, shadow: new PgShadowProjections(dataSource) }).execute();
    const body = createMemoryBody.parse({ name: 'agents' });
    memoryId = (await new CreateMemory(stores).execute(tenantId, body)).memory.memoryId;
    close = async () => {
      await eventStore.close();
      await dataSource.destroy();
      await database.drop();
    };
  });
  afterAll(() => close());

  const start = (name: string, more: object = {}): Promise<Agent> =>
    new StartAgent(stores).execute(tenantId, {
      memoryId,
      actorId: 'ada',
      sessionId: name,
      name,
      vendor: 'openai',
      systemMessages: [{ role: 'system', content: 'Be kind.' }],
      params: {},
      maxHistory: 12,
      labels: { desk: 42 },
      channel: 'room-9',
      ...more,
    });
  const says = (agent: Agent, ...messages: Partial<MessageAppended>[]) =>
    new AppendToAgent(stores).execute(
      tenantId,
      agent.agentId,
      messages.map((message) => ({ payloadType: 'CONVERSATIONAL', role: 'user', content: '', ...message })),
      ONCE,
    );
  const found = async ({ agentId }: Agent): Promise<Agent> => (await stores.agents.find(tenantId, agentId))!;
  const contents = (messages: readonly { readonly data: MessageAppended }[]) =>
    messages.map(({ data }) => data.content);

  it('goes through its whole life cycle; a rebuild from the log gives the same agent', async () => {
    const agent = await start('whole life');
    const { agentId } = agent;
    for (let turn = 1; turn <= 40; turn += 1) {
      const cut = turn === 10 ? { interrupted: true, interrupt_timestamp: 1, original: `answer ${turn} whole` } : {};
      await says(
        agent,
        { content: `question ${turn}`, turnId: turn, timestamp: 1_700_000_000 + turn, metadata: { source: 'asr' } },
        { role: 'assistant', content: `answer ${turn}`, turnId: turn, metadata: { source: 'llm', ...cut } },
      );
      if (turn === 20 || turn === 35) {
        await new InterruptAgent(stores).execute(tenantId, agentId, { heard: 'ans', interruptTimestamp: turn }, ONCE);
      }
      if (turn === 25) {
        await new UpdateAgent(stores).execute(tenantId, agentId, {
          systemMessages: [{ role: 'system', content: 'Be brief.' }],
        });
      }
      if (turn === 30) await new ResetAgent(stores).execute(tenantId, agentId, 'fresh start');
    }
    await new StopAgent(stores).execute(tenantId, agentId, 'requested');

    const look = async () => {
      const state = await found(agent);
      const { eventStore } = stores;
      const [history, context, window] = await Promise.all([
        historyOfAgent(eventStore, state),
        contextOfAgent(eventStore, state),
        windowOfAgent(eventStore, state),
      ]);
      return { state, history, context, window };
    };
    const before = await look();
    expect(before.state).toMatchObject({
      status: 'STOPPED',
      stopReason: 'requested',
      startedSequence: 1,
      stoppedSequence: 1 + 80 + 2 + 1 + 1 + 1,
      systemMessages: [{ role: 'system', content: 'Be brief.' }],
      updatedAt: expect.any(String) as string,
    });
    expect(before.history).toHaveLength(80);
    expect(
      before.history.filter(({ data }) => data.metadata?.['interrupted'] === true).map(({ data }) => data),
    ).toEqual([
      expect.objectContaining({ turnId: 10, content: 'answer 10' }),
      expect.objectContaining({
        turnId: 20,
        content: 'ans',
        metadata: { source: 'llm', interrupted: true, interrupt_timestamp: 20, original: 'answer 20' },
      }),
      expect.objectContaining({ turnId: 35, content: 'ans' }),
    ]);
    expect(contents(before.context)[0]).toBe('question 31');
    expect(before.context).toHaveLength(20);
    expect(before.window).toEqual(before.context.slice(-12));

    await stores.unitOfWork.run((tx) =>
      stores.agents.update(tx, { ...before.state, status: 'RUNNING', name: 'spoilt' }),
    );
    expect(await look()).not.toEqual(before);
    await rebuild();
    expect(await look()).toEqual(before);
  });

  it('has a unique name while it runs, even if many start concurrently', async () => {
    const starts = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => start('one', { sessionId: `s${index}` })),
    );
    const made = starts.filter((result) => result.status === 'fulfilled');
    expect(made).toHaveLength(1);
    for (const result of starts) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'agent.name_taken' });
    }
    await new FailAgent(stores).execute(tenantId, made[0]!.value.agentId, 'no microphone');
    expect(await found(made[0]!.value)).toMatchObject({ status: 'FAILED', stopReason: 'no microphone' });
    await expect(start('one')).resolves.toMatchObject({ status: 'RUNNING' });
  });

  it('leaves nothing in the log when its start is refused', async () => {
    await start('taken');
    const head = await stores.eventStore.headPosition();
    await expect(start('taken')).rejects.toMatchObject({ code: 'agent.name_taken' });
    expect(await stores.eventStore.headPosition()).toBe(head);
  });

  it('accepts nothing after it has stopped', async () => {
    const agent = await start('ended');
    await new StopAgent(stores).execute(tenantId, agent.agentId, 'requested');
    const refused = { code: 'agent.not_running' };
    await expect(says(agent, { content: 'late' })).rejects.toMatchObject(refused);
    await expect(new StopAgent(stores).execute(tenantId, agent.agentId, 'again')).rejects.toMatchObject(refused);
    await expect(new UpdateAgent(stores).execute(tenantId, agent.agentId, { params: {} })).rejects.toMatchObject(
      refused,
    );
    await expect(new ResetAgent(stores).execute(tenantId, agent.agentId, 'r')).rejects.toMatchObject(refused);
  });

  it('stops once if stopped concurrently', async () => {
    const agent = await start('raced');
    const stops = await Promise.allSettled(
      Array.from({ length: 8 }, () => new StopAgent(stores).execute(tenantId, agent.agentId, 'requested')),
    );
    expect(stops.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const events = await stores.eventStore.readSession(agent, {
      order: 'oldest-first',
      limit: 9,
      types: ['agent.stopped'],
    });
    expect(events).toHaveLength(1);
  });

  it('sees only the part of its session after its start, plus the messages it was told to load', async () => {
    const first = await start('first', { sessionId: 'thread' });
    await says(first, { content: '1' }, { content: '2' }, { content: '3' });
    await new ResetAgent(stores).execute(tenantId, first.agentId, 'r');
    await new StopAgent(stores).execute(tenantId, first.agentId, 'requested');
    const alone = await start('alone', { sessionId: 'thread' });
    const loading = await start('loading', { sessionId: 'thread', loadHistory: 2 });
    await says(alone, { content: '4' });
    expect(contents(await windowOfAgent(stores.eventStore, alone))).toEqual(['4']);
    expect(contents(await windowOfAgent(stores.eventStore, loading))).toEqual(['2', '3', '4']);
    expect(contents(await historyOfAgent(stores.eventStore, loading))).toEqual(['4']);
  });

  describe('idle', () => {
    const idle = () => new StopIdleAgents(stores).execute();
    /** A candidate for the idle timeout: started long ago and apparently due. */
    const makeDue = (agent: Agent) =>
      stores.unitOfWork.run((tx) => stores.agentIdle.postpone(tx, agent.agentId, '2020-01-01T00:00:00Z'));

    it('is stopped after its idle timeout', async () => {
      const agent = await start('silent', { idleTimeoutSeconds: 1 });
      await expect.poll(idle, { timeout: 10_000, interval: 50 }).toBe(1);
      expect(await found(agent)).toMatchObject({ status: 'STOPPED', stopReason: 'idle' });
      expect(await stores.agentIdle.due(10)).toEqual([]);
    });

    it('keeps running if there was activity, even though its timeout was due', async () => {
      const agent = await start('lively', { idleTimeoutSeconds: 2 });
      const due = { tenantId, agentId: agent.agentId };
      await expect.poll(() => stores.agentIdle.due(10), { timeout: 10_000, interval: 50 }).toEqual([due]);
      await says(agent, { content: 'still here' });
      expect(await idle()).toBe(0);
      expect(await found(agent)).toMatchObject({ status: 'RUNNING' });
      expect(await stores.agentIdle.due(10)).toEqual([]);
      await new StopAgent(stores).execute(tenantId, agent.agentId, 'requested');
    });

    it('is watched again after a rebuild', async () => {
      const agent = await start('watched', { idleTimeoutSeconds: 3_600 });
      await stores.unitOfWork.run((tx) => stores.agents.update(tx, { ...agent, vendor: 'spoilt' }));
      await rebuild();
      expect(await makeDue(agent)).toBe(true);
      await new StopAgent(stores).execute(tenantId, agent.agentId, 'requested');
      expect(await makeDue(agent)).toBe(false);
    });
  });
});
