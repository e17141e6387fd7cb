import { randomUUID } from 'node:crypto';
import type { CallClaim, Connector, NewNotice } from '@turnkeeper/application';
import { newSecret } from '@turnkeeper/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { testCipher } from '../../testing/test-cipher.js';
import { PgConnectorStore } from './connector-store.js';
import { PgNoticeStore } from './notice-store.js';

const LEASE_SECONDS = 30;

describe('vendor notices', () => {
  let database: ReadModelDatabase;
  let connectors: PgConnectorStore;
  let store: PgNoticeStore;
  let connector: Connector;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    connectors = new PgConnectorStore(database.dataSource, testCipher);
    store = new PgNoticeStore(database.dataSource);
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await database.rows('truncate connectors cascade');
    connector = {
      connectorId: randomUUID(),
      tenantId: randomUUID(),
      memoryId: randomUUID(),
      vendor: 'agora',
      description: '',
      secrets: [newSecret('s', new Date(0))],
      createdAt: new Date(0).toISOString(),
      places: { actorLabel: 'user_id', sessionLabel: 'session_id' },
    };
    await connectors.insert(connector);
  });

  const notice = (more: Partial<NewNotice> = {}): NewNotice => ({
    connectorId: connector.connectorId,
    tenantId: connector.tenantId,
    noticeKey: randomUUID(),
    callKey: 'call',
    eventType: '17/103',
    body: Buffer.from('{}'),
    status: 'waiting',
    code: null,
    stamp: null,
    place: null,
    ...more,
  });
  const claim = async (): Promise<CallClaim> => (await store.claimCall(LEASE_SECONDS))!;
  const waiting = (call: CallClaim) => database.unitOfWork.run((tx) => store.noticesOf(tx, call));
  const finish = (call: CallClaim, keys: readonly string[] = [], at: Date | null = null) =>
    database.unitOfWork.run(async (tx) => {
      await store.mark(tx, call, keys, 'folded');
      await store.finishCall(tx, call, { at, settledRound: null, place: null });
    });
  const list = (status?: 'waiting' | 'folded' | 'parked') =>
    store.list(connector.tenantId, connector.connectorId, { status }, { limit: 10 });
  const passTime = (seconds: number) =>
    database.rows(
      `update connector_calls set due_at = due_at - make_interval(secs => $1),
         lease_until = lease_until - make_interval(secs => $1)`,
      [seconds],
    );

  it('are stored once and make their calls due', async () => {
    const one = notice();
    expect(await Promise.all([store.receive(one), store.receive(one)])).toEqual(
      expect.arrayContaining(['stored', 'duplicate']),
    );
    const call = await claim();
    expect(call).toMatchObject({ callKey: 'call', failures: 0, settledRound: null });
    expect((await waiting(call)).map(({ noticeKey }) => noticeKey)).toEqual([one.noticeKey]);
    expect(await store.claimCall(LEASE_SECONDS)).toBeNull();
  });

  it('are accepted once per signature; a redelivery of the same message may reuse it', async () => {
    const one = notice({ stamp: '1/abc' });
    expect(await store.receive(one)).toBe('stored');
    expect(await store.receive(one)).toBe('duplicate');
    expect(await store.receive(notice({ stamp: '1/abc' }))).toBe('stamp_used');
    expect(await store.receive(notice({ stamp: '2/abc' }))).toBe('stored');
    expect(await list()).toHaveLength(2);
  });

  it('lose their body when folded, and repeats are still detected', async () => {
    const one = notice();
    await store.receive(one);
    const call = await claim();
    await finish(call, [one.noticeKey]);
    expect(await list('folded')).toHaveLength(1);
    expect(await database.rows('select 1 from connector_notices where body is not null')).toEqual([]);
    expect(await store.receive(one)).toBe('duplicate');
    expect(await store.claimCall(LEASE_SECONDS)).toBeNull();
  });

  it('make their call due again if they arrive while it is being folded', async () => {
    await store.receive(notice());
    const call = await claim();
    await store.receive(notice());
    await finish(call);
    expect(await claim()).toMatchObject({ callKey: 'call' });
  });

  it('are not folded by a worker whose lease expired', async () => {
    const one = notice();
    await store.receive(one);
    const late = await claim();
    await passTime(LEASE_SECONDS + 1);
    const next = await claim();
    await expect(finish(late, [one.noticeKey])).rejects.toMatchObject({ code: 'connector.call_lost' });
    expect(await waiting(next)).toHaveLength(1);
    await store.parkCall(late, 'late', { keepBodies: true });
    expect(await list('parked')).toEqual([]);
  });

  it('are retried with a backoff after a failure of ours', async () => {
    await store.receive(notice());
    await store.retryCall(await claim(), 5_000);
    expect(await store.claimCall(LEASE_SECONDS)).toBeNull();
    await passTime(6);
    expect(await claim()).toMatchObject({ failures: 1 });
  });

  it('count a claim of a lost worker as a failure', async () => {
    await store.receive(notice());
    expect(await claim()).toMatchObject({ failures: 0 });
    await passTime(LEASE_SECONDS + 1);
    expect(await claim()).toMatchObject({ failures: 1 });
  });

  it('are held while their lease is renewed, and no longer than their claim', async () => {
    await store.receive(notice());
    const first = await claim();
    await passTime(LEASE_SECONDS - 1);
    expect(await store.renewCalls([first], LEASE_SECONDS)).toEqual([first]);
    await passTime(LEASE_SECONDS - 1);
    expect(await store.claimCall(LEASE_SECONDS)).toBeNull();
    await passTime(LEASE_SECONDS);
    const second = await claim();
    expect(await store.renewCalls([first, second], LEASE_SECONDS)).toEqual([second]);
    await finish(second);
    expect(await store.renewCalls([first, second], LEASE_SECONDS)).toEqual([]);
  });

  it('stay claimed while their row is locked', async () => {
    await store.receive(notice());
    const held = await claim();
    await database.unitOfWork.run(async (tx) => {
      await tx.query('select from connector_calls for update');
      expect(await store.renewCalls([held], LEASE_SECONDS)).toEqual([held]);
    });
  });

  it('are parked with a reason, listed, and folded again on request', async () => {
    const one = notice();
    await store.receive(one);
    await store.parkCall(await claim(), 'connector.actor_unknown', { keepBodies: true });
    expect(await list('parked')).toEqual([
      expect.objectContaining({ noticeKey: one.noticeKey, code: 'connector.actor_unknown' }),
    ]);
    expect(await store.claimCall(LEASE_SECONDS)).toBeNull();
    expect(await store.retryParked(randomUUID(), connector.connectorId)).toBe(0);
    expect(await store.retryParked(connector.tenantId, connector.connectorId)).toBe(1);
    expect(await waiting(await claim())).toHaveLength(1);
  });

  it('are not read if together they are larger than a worker holds', async () => {
    for (const body of ['a'.repeat(60), 'b'.repeat(40)]) await store.receive(notice({ body: Buffer.from(body) }));
    const call = await claim();
    const read = (most: number) =>
      database.unitOfWork.run((tx) => new PgNoticeStore(database.dataSource, most).noticesOf(tx, call));
    expect(await read(100)).toHaveLength(2);
    await expect(read(99)).rejects.toMatchObject({ code: 'connector.call_too_large' });
  });

  it('are listed newest first, page by page', async () => {
    for (let i = 0; i < 5; i += 1) await store.receive(notice({ noticeKey: `n${i}` }));
    const page = (after?: { receivedAt: string; noticeKey: string }) =>
      store.list(connector.tenantId, connector.connectorId, {}, { limit: 2, after });
    const seen: string[] = [];
    for (let rows = await page(); rows.length > 0; rows = await page(rows.at(-1))) {
      seen.push(...rows.map(({ noticeKey }) => noticeKey));
    }
    expect(seen.toSorted()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
    expect(await store.list(randomUUID(), connector.connectorId, {}, { limit: 10 })).toEqual([]);
  });

  it('are deleted if they cannot be folded: after a number of days, or with the retention of their memory', async () => {
    const unknown = notice({ status: 'parked', code: 'notice.unreadable', callKey: null });
    await store.receive(unknown);
    const { memoryId } = await database.memory({ tenantId: connector.tenantId });
    await database.rows(`update memories set event_expiry_duration = 7 where memory_id = $1`, [memoryId]);
    const brief = { ...connector, connectorId: randomUUID(), memoryId };
    await connectors.insert(brief);
    await store.receive(notice({ connectorId: brief.connectorId, status: 'parked', code: 'notice.unreadable' }));
    const left = async () => (await database.rows('select 1 from connector_notices')).length;
    const age = (days: number) =>
      database.rows(`update connector_notices set received_at = now() - make_interval(days => $1, mins => 1)`, [days]);
    await age(6);
    expect([await store.forgetOld(20, 10), await left()]).toEqual([false, 2]);
    await age(7);
    expect([await store.forgetOld(20, 10), await left()]).toEqual([false, 1]);
    await age(20);
    expect([await store.forgetOld(20, 10), await left()]).toEqual([false, 0]);
  });

  it('are not folded again if they were parked without their bodies', async () => {
    await store.receive(notice());
    await store.parkCall(await claim(), 'memory.not_found', { keepBodies: false });
    expect(await database.rows('select 1 from connector_notices where body is not null')).toEqual([]);
    expect(await store.retryParked(connector.tenantId, connector.connectorId)).toBe(0);
    expect(await list('parked')).toHaveLength(1);
  });

  it('are deleted when repeats are no longer possible', async () => {
    const [old, fresh, waiting] = [notice({ callKey: 'a', stamp: '1' }), notice({ callKey: 'b' }), notice()];
    for (const one of [old, fresh, waiting]) await store.receive(one);
    await database.rows(`update connector_notices set status = 'folded' where notice_key <> $1`, [waiting.noticeKey]);
    await database.rows(
      `update connector_notices set received_at = received_at - interval '31 days' where notice_key <> $1`,
      [fresh.noticeKey],
    );
    await database.rows(`update connector_stamps set seen_at = seen_at - interval '2 hours'`);
    expect(await store.forgetOld(30, 1)).toBe(true);
    expect(await store.forgetOld(30, 10)).toBe(false);
    expect((await list()).map(({ noticeKey }) => noticeKey).sort()).toEqual(
      [fresh.noticeKey, waiting.noticeKey].sort(),
    );
    expect(await database.rows('select 1 from connector_stamps')).toEqual([]);
  });

  it('are followed by their calls, unless one is still due', async () => {
    const [old, due, fresh] = [notice({ callKey: 'old' }), notice({ callKey: 'due' }), notice({ callKey: 'fresh' })];
    for (const one of [old, due, fresh]) await store.receive(one);
    await database.rows(
      `update connector_notices set status = 'folded', received_at = received_at - interval '31 days'
        where call_key <> 'fresh'`,
    );
    await database.rows(
      `update connector_calls set due_at = case call_key when 'due' then due_at end,
              updated_at = updated_at - case call_key when 'fresh' then interval '0' else interval '31 days' end`,
    );
    const calls = async () =>
      (await database.rows<{ call_key: string }>('select call_key from connector_calls order by call_key')).map(
        (call) => call.call_key,
      );
    expect(await store.forgetOld(30, 10)).toBe(false);
    expect(await calls()).toEqual(['due', 'fresh']);
    // A later notice of a forgotten call starts over.
    expect(await store.receive(notice({ callKey: 'old' }))).toBe('stored');
    expect(await calls()).toEqual(['due', 'fresh', 'old']);
  });

  it('are deleted with their connector; connectors belong to one tenant', async () => {
    await store.receive(notice());
    expect(await connectors.find(randomUUID(), connector.connectorId)).toBeNull();
    expect(await connectors.delete(randomUUID(), connector.connectorId)).toBe(false);
    expect(await connectors.find(connector.tenantId, connector.connectorId)).toEqual(connector);
    expect(await connectors.findByPath('zegocloud', connector.connectorId)).toBeNull();
    expect(await connectors.delete(connector.tenantId, connector.connectorId)).toBe(true);
    expect(await store.claimCall(LEASE_SECONDS)).toBeNull();
  });
});
