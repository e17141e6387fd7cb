import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordView, StoredEvent } from './harness/answers.js';
import { eventsPath, turn, type Session } from './harness/api.js';
import { dumpOf } from './harness/dump.js';
import { plant, takeLeaks } from './harness/planted-markers.js';
import { plantCopy } from './harness/plant-copy.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';
import { findTraces } from './harness/traces.js';

const encoded = encodeURIComponent;

describe('deleted data', () => {
  let stack: Stack;
  let receiver: Receiver;
  let accept = false;
  beforeAll(async () => {
    stack = await Stack.start({ settings: { PURGE_INTERVAL_SECONDS: '1' } });
    // A business server that is down: deliveries to it wait with their frozen body.
    receiver = await startReceiver(() => (accept ? 204 : 503));
    await stack.api.createEndpoint(receiver.url, { events: ['agent.started', 'agent.history', 'records.extracted'] });
  });
  afterAll(async () => {
    await stack.stop();
    await receiver.close();
  });

  const newMemory = async () => {
    const memory = await stack.api.createMemory({
      longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }],
    });
    const strategyId = memory.longTermMemoryStrategies[0]!.id;
    return {
      memoryId: memory.id,
      strategyId,
      namespaceOf: (actor: string) => `/strategies/${strategyId}/actors/${actor}`,
    };
  };
  const remove = async (path: string): Promise<number> => (await stack.api.request('DELETE', path)).status;
  const status = async (path: string): Promise<number> => (await stack.api.request('GET', path)).status;
  const sessionPath = (session: Session) => eventsPath(session).replace(/\/events$/, '');
  const texts = (records: readonly RecordView[]) => records.map(({ memory }) => memory);

  it('is gone from history, search, lists and by id after deleting an event', async () => {
    const { memoryId, namespaceOf } = await newMemory();
    const session = { memoryId, actorId: 'ada', sessionId: 'monday' };
    const [first, second] = await stack.api.appendBatch(session, [
      turn('user', 'I live in Hanoi.'),
      turn('user', 'I work as a pilot for a small airline in town.'),
    ]);
    await stack.api.untilExtracted(memoryId);
    const before = await stack.api.records(memoryId, namespaceOf('ada'));
    expect(texts(before).some((text) => text.includes('Hanoi'))).toBe(true);
    const gone = before.find((record) => record.memory.includes('Hanoi'))!;
    const profile = async (): Promise<string> =>
      JSON.stringify((await stack.api.request('GET', `/v1/memories/${memoryId}/actors/ada/profile`)).body);
    expect(await profile()).toContain('Hanoi');

    expect(await remove(`${eventsPath(session)}/${first!.eventId}`)).toBe(200);
    expect((await stack.api.history(session)).map(({ id }) => id)).toEqual([second!.eventId]);
    expect(await status(`${eventsPath(session)}/${first!.eventId}`)).toBe(404);
    expect(await status(`/memory/memories/${memoryId}/memory-records/${gone.id}`)).toBe(404);
    expect(texts(await stack.api.records(memoryId, namespaceOf('ada'))).join()).not.toContain('Hanoi');
    expect(await profile()).not.toContain('Hanoi');
    expect(await stack.api.search(memoryId, namespaceOf('ada'), 'Where is Hanoi?')).toEqual([]);
    expect(texts(await stack.api.search(memoryId, namespaceOf('ada'), 'pilot'))).not.toEqual([]);
    const bySource = await stack.api.request<RecordView[]>(
      'GET',
      `/memory/memories/${memoryId}/memory-records?sourceEventId=${first!.eventId}`,
    );
    expect(bySource.body).toEqual([]);
    expect(await findTraces(stack, ['Hanoi'])).toEqual([]);
    expect(await remove(`${eventsPath(session)}/${first!.eventId}`)).toBe(404);
    // Its sequence stays taken.
    expect(await stack.api.append(session, turn('user', 'Anything new?'))).toMatchObject({ sequence: 3 });
  });

  it('is gone with every record that quotes it, as what another message was about', async () => {
    const { memoryId, namespaceOf } = await newMemory();
    const session = { memoryId, actorId: 'ada', sessionId: 'monday' };
    const [first] = await stack.api.appendBatch(session, [
      turn('user', 'I need a van to Marlow Street.'),
      turn('assistant', 'It costs 24 euros.'),
    ]);
    await stack.api.untilExtracted(memoryId);
    const before = texts(await stack.api.records(memoryId, namespaceOf('ada')));
    expect(before.filter((text) => text.includes('Marlow') && text.includes('24 euros'))).toHaveLength(1);
    expect(await remove(`${eventsPath(session)}/${first!.eventId}`)).toBe(200);
    expect(texts(await stack.api.records(memoryId, namespaceOf('ada')))).toEqual([]);
    expect(await findTraces(stack, ['Marlow'])).toEqual([]);
  });

  it('is gone with a session, while a record that also cites another session stays', async () => {
    const { memoryId, namespaceOf } = await newMemory();
    const [monday, tuesday] = ['monday', 'tuesday'].map((sessionId) => ({ memoryId, actorId: 'bo', sessionId }));
    await stack.api.append(monday!, turn('user', 'I live in Danang. My dog is called Rex.'));
    await stack.api.untilExtracted(memoryId);
    await stack.api.append(tuesday!, turn('user', 'I live in Danang.'));
    await stack.api.untilExtracted(memoryId);
    expect(texts(await stack.api.records(memoryId, namespaceOf('bo'))).join()).toMatch(/Rex/);

    expect(await remove(sessionPath(monday!))).toBe(200);
    const left = await stack.api.records(memoryId, namespaceOf('bo'));
    expect(texts(left).join()).not.toMatch(/Rex/);
    const kept = left.find(({ memory }) => memory.includes('Danang'));
    expect(kept?.sources.map(({ quote }) => quote)).toEqual(['I live in Danang.']);
    expect(await stack.api.history(monday!)).toEqual([]);
    expect(await status(sessionPath(monday!))).toBe(404);
    expect(await status(sessionPath(tuesday!))).toBe(200);
    expect(await findTraces(stack, ['Rex'])).toEqual([]);

    // The session name can be reused.
    expect(await stack.api.append(monday!, turn('user', 'Hello again.'), {})).toMatchObject({ sequence: 1 });
    expect(await remove(sessionPath({ ...monday!, sessionId: 'never' }))).toBe(404);
  });

  it('is gone with a record, which does not come back', async () => {
    const { memoryId, namespaceOf } = await newMemory();
    const session = { memoryId, actorId: 'cy', sessionId: 's' };
    await stack.api.append(session, turn('user', 'I live in Hue.'));
    await stack.api.untilExtracted(memoryId);
    const [record] = await stack.api.records(memoryId, namespaceOf('cy'));
    const path = `/memory/memories/${memoryId}/memory-records/${record!.id}`;
    const told = () =>
      stack.inspector.number(
        `select count(*) from events where type <> 'message.appended' and position($1 in data::text) > 0`,
        [JSON.stringify(record!.memory)],
      );
    expect(await told()).toBeGreaterThan(0);
    expect(await remove(path)).toBe(200);
    expect(await remove(path)).toBe(404);
    await stack.api.untilExtracted(memoryId);
    expect(await stack.api.records(memoryId, namespaceOf('cy'))).toEqual([]);
    expect(await told()).toBe(0);
    expect(await stack.api.history(session)).toHaveLength(1);
  });

  it('leaves no marker of an erased actor in tables, stream, queue and dumps, nor keys of its own', async () => {
    const { memoryId, strategyId, namespaceOf } = await newMemory();
    const other = await newMemory();
    const M = 'Zxqv7marker';
    const actorId = `${M}-actor@example.com`;
    const session = { memoryId, actorId, sessionId: `${M}-session` };
    const bystander = { memoryId, actorId: 'bystander', sessionId: 'calm' };
    const send = async (method: string, path: string, body: unknown) => {
      expect(await stack.api.request(method, path, { body })).toMatchObject({ status: 200 });
    };
    const memoryPath = `/memory/memories/${memoryId}`;

    await stack.api.append(bystander, turn('user', 'I live in Vinh.'));
    const agent = await stack.api.startAgent(session, `${M}-agent`, {
      systemMessages: [{ role: 'system', content: `You speak with ${M}-system.` }],
      labels: { customer: `${M}-label` },
      params: { hint: `${M}-param` },
    });
    await stack.api.appendBatch(session, [
      turn('user', `My name is ${M}name. I live in ${M}city.`, { metadata: { speaker: `${M}-speaker` } }),
      turn('assistant', `Welcome, ${M}name.`),
      { payload: { type: 'BINARY', binaryData: Buffer.from(`${M}-binary`).toString('base64') } },
    ]);
    await stack.api.append({ ...session, sessionId: `${M}-second` }, turn('user', `I work at ${M}corp.`));
    await stack.api.append({ ...session, memoryId: other.memoryId }, turn('user', `I like ${M}fruit.`));
    const namespace = encoded(namespaceOf(actorId));
    await send('POST', `${memoryPath}/memory-records:insert-directly?namespace=${namespace}`, {
      memoryRecords: [`The customer owns a ${M}car.`],
    });
    await send(
      'POST',
      `${memoryPath}/memory-records:generate-from-content?longTermMemoryStrategyId=${strategyId}&actorId=${encoded(actorId)}`,
      { chatMessages: [{ role: 'user', content: `My cat is called ${M}cat.` }] },
    );
    await send('PUT', `${memoryPath}/actors/${encoded(actorId)}/sessions/${M}-live/memory-state`, {
      version: 1,
      facts: [`${M}fact`],
      summary: `${M}summary`,
    });
    const [own] = await stack.inspector.rows<{ id: string }>(`select tenant_id as id from tenants where name = 'acme'`);
    const keysPath = `/v1/admin/tenants/${own!.id}/keys`;
    const operator = stack.apiOf(stack.ingests[0]!, await stack.createKey({ scopes: ['admin'] }));
    const key = await operator.request<{ apiKey: string }>('POST', keysPath, {
      body: { scopes: ['memory:read'], actorId, description: `for ${M}` },
    });
    expect(key.status).toBe(201);
    plant(key.body.apiKey);
    const byKey = stack.apiOf(stack.ingests[0]!, key.body.apiKey);
    const ownRecords = async () =>
      (await byKey.request('GET', `${memoryPath}/memory-records?namespace=${namespace}`)).status;
    expect(await ownRecords()).toBe(200);
    await stack.api.untilExtracted(memoryId);
    await stack.api.stopAgent(agent.id);
    // Planted everywhere; the history waits for the business server.
    await eventually(
      async () => (await stack.inspector.number('select count(*) from webhook_deliveries where body is not null')) >= 2,
      { withinMs: 20_000 },
    );
    const planted = (await findTraces(stack, [M])).map(({ place }) => place);
    for (const table of [
      ...['events', 'sessions', 'agents', 'records', 'record_sources', 'extraction_states', 'rolling_sessions'],
      ...['webhook_deliveries', 'api_keys'],
    ]) {
      expect(planted, table).toContain(`public.${table}`);
    }

    const erased = await stack.api.request('DELETE', `/v1/actors/${encoded(actorId)}`);
    expect(erased).toMatchObject({ status: 200, body: { memories: 2, receipt: { erased: { apiKeys: 1 } } } });
    await eventually(async () => (await ownRecords()) === 401);

    expect(await stack.api.history(session)).toEqual([]);
    expect(await stack.api.records(memoryId, namespaceOf(actorId))).toEqual([]);
    expect(await stack.api.search(memoryId, namespaceOf(actorId), `${M}city`)).toEqual([]);
    expect(await status(`${memoryPath}/actors/${encoded(actorId)}`)).toBe(404);
    expect(await status(`/v1/agents/${agent.id}`)).toBe(404);
    expect(
      (await stack.api.request<{ listData: unknown[] }>('GET', `${memoryPath}/actors`)).body.listData,
    ).toHaveLength(1);

    // In-flight work at the time of the erasure has finished.
    await stack.api.untilExtracted(memoryId);
    const base64 = Buffer.from(`${M}-binary`).toString('base64');
    expect(await findTraces(stack, [M, base64])).toEqual([]);
    const dump = await dumpOf(stack.inspector.adminUrl);
    expect(dump).toContain('I live in Vinh.');
    for (const marker of [M, Buffer.from(M).toString('hex'), base64]) expect(dump).not.toContain(marker);

    // The business server is back and receives nothing about the actor.
    const heard = receiver.received.length;
    accept = true;
    const calm = await stack.api.startAgent(bystander, 'calm');
    await stack.api.stopAgent(calm.id);
    await eventually(() => receiver.received.slice(heard).some(({ raw }) => raw.includes(calm.id)), {
      withinMs: 20_000,
    });
    accept = false;
    expect(receiver.received.slice(heard).filter(({ raw }) => raw.includes(M))).toEqual([]);
    expect(await stack.api.history(bystander)).toHaveLength(1);
  });

  it('is gone from a pending webhook', async () => {
    const { memoryId } = await newMemory();
    const session = { memoryId, actorId: 'dee', sessionId: 's' };
    const agent = await stack.api.startAgent(session, 'secretive');
    const secret = await stack.api.append(session, turn('user', 'The code is Qwx99secret.'));
    await stack.api.append(session, turn('user', 'The weather is fine.'));
    await stack.api.stopAgent(agent.id);
    const waiting = () =>
      stack.inspector.number(
        `select count(*) from webhook_deliveries where agent_id = $1 and event_type = 'agent.history' and body is not null`,
        [agent.id],
      );
    await eventually(() => receiver.received.some(({ raw }) => raw.includes('Qwx99secret')), { withinMs: 20_000 });
    expect(await waiting()).toBe(1);

    expect(await remove(`${eventsPath(session)}/${secret.eventId}`)).toBe(200);
    const heard = receiver.received.length;
    accept = true;
    const historyOf = () => receiver.received.slice(heard).find(({ raw }) => raw.includes('The weather is fine.'));
    await eventually(() => historyOf() !== undefined, { withinMs: 60_000 });
    accept = false;
    expect(historyOf()!.raw.toString()).not.toContain('Qwx99secret');
  });

  it('is gone with a memory: immediately for readers, soon after from the tables', async () => {
    const { memoryId, namespaceOf } = await newMemory();
    const session = { memoryId, actorId: 'eli', sessionId: 's' };
    await stack.api.append(session, turn('user', 'I live in Pkw5town.'));
    const agent = await stack.api.startAgent(session, 'eli-agent');
    await stack.api.untilExtracted(memoryId);
    expect(await stack.api.records(memoryId, namespaceOf('eli'))).not.toEqual([]);

    expect(await remove(`/memory/memories/${memoryId}`)).toBe(200);
    for (const path of [
      `/memory/memories/${memoryId}`,
      `/memory/memories/${memoryId}/actors`,
      `/memory/memories/${memoryId}/memory-records?namespace=n`,
      eventsPath(session),
      `/v1/agents/${agent.id}`,
      `/v1/memories/${memoryId}/extraction`,
    ]) {
      expect(await status(path), path).toBe(404);
    }
    expect((await stack.api.request('POST', eventsPath(session), { body: turn('user', 'x') })).status).toBe(404);
    await eventually(async () => (await findTraces(stack, ['Pkw5town'])).length === 0, { withinMs: 20_000 });
    expect(await stack.inspector.number('select count(*) from events where memory_id = $1', [memoryId])).toBe(1);
  });

  it('is gone on expiry and purged soon after; records stay', async () => {
    const { memoryId, namespaceOf } = await newMemory();
    const session = { memoryId, actorId: 'fay', sessionId: 's' };
    await stack.api.append(session, turn('user', 'I live in Nha Trang.', { eventTimestamp: '2020-01-01T00:00:00Z' }));
    await stack.api.untilExtracted(memoryId);
    // Its event time is long past, but the expiry counts from its arrival.
    expect(await stack.api.history(session)).toHaveLength(1);
    await stack.inspector.rows(
      `select set_config('turnkeeper.change', 'expiry', false);
       update events set expires_at = now() where memory_id = '${memoryId}' and expires_at is not null`,
    );
    expect(await stack.api.history(session)).toEqual([]);
    const event = await stack.api.request<{ listData: StoredEvent[] }>('GET', eventsPath(session));
    expect(event.body).toMatchObject({ listData: [], totalItem: 0 });
    await eventually(
      async () =>
        (await stack.inspector.number(
          `select count(*) from events where memory_id = $1 and type = 'message.appended'`,
          [memoryId],
        )) === 0,
      { withinMs: 20_000 },
    );
    expect(texts(await stack.api.records(memoryId, namespaceOf('fay')))).toHaveLength(1);
  });

  it('would be found in the stream and the queue, which hold references only', async () => {
    const secret = 'The safe is behind the painting.';
    plant(secret);
    await stack.scanCopies();
    expect(takeLeaks()).toEqual([]);
    const remove = await plantCopy(stack, secret);
    await stack.scanCopies();
    const found = takeLeaks().join('\n');
    await remove();
    expect(found).toContain(`stream wrote "${secret}"`);
    expect(found).toContain(`queue wrote "${secret}"`);
  });

  it('leaves a log that accounts for every position', async () => {
    const [places] = await stack.inspector.rows<{ head: string; taken: string }>(
      `select max(position) as head, count(distinct position) as taken
         from (select position from events union all select position from tombstones) p`,
    );
    expect(places?.taken).toBe(places?.head);
  });
});
