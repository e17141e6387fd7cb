import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newSecret } from '@turnkeeper/domain';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PgIdempotentRequests } from '../access/idempotent-requests.js';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { testCipher } from '../testing/test-cipher.js';
import { PgConnectorStore } from '../work/connectors/connector-store.js';
import { PgNoticeStore } from '../work/connectors/notice-store.js';
import { PgPersonalRows, SESSION_TABLES } from './personal-rows.js';

/** Erased by the log's functions and triggers, as part of records, or through the rows they reference. */
const ELSEWHERE = [
  'connector_calls',
  'connector_instances',
  'replaced_instances',
  'sessions',
  'events',
  'tombstones',
  'closed_sessions',
  // Numbers only; deleted with the entry of the erased session.
  'buried_sequences',
  'records',
  'record_sources',
  // Deleted with the session row: see the test below.
  'deferred_progress',
  // Deleted with the session row by a trigger of the log's.
  'session_activity',
  // Numbers only; deleted when the closed session is folded: see the tests of the counts.
  'usage_changes',
  // Deleted with their events: see the tests of the turn index.
  ...['turn_segments', 'turn_vectors'],
  // The actor of a key is an administrator's note (ADR 0034).
  'api_keys',
];

describe('rows of an actor or a session', () => {
  let database: ReadModelDatabase;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
  });
  afterAll(() => database?.close());

  it('are only in tables that an erasure covers', async () => {
    const tables = await database.rows<{ table_name: string }>(
      `select distinct table_name from information_schema.columns
        where table_schema = 'public' and column_name in ('actor_id', 'session_id', 'session_key')`,
    );
    const known = new Set<string>([...SESSION_TABLES, ...ELSEWHERE]);
    expect(tables.map(({ table_name }) => table_name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('are deleted with their session or actor, and only then', async () => {
    const memory = await database.memory();
    const [strategyId] = memory.strategyIds;
    const monday = await database.session(memory, 'monday');
    const tuesday = await database.session(memory, 'tuesday');
    for (const { sessionKey, sessionId } of [monday, tuesday]) {
      await database.rows(
        `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, last_code)
         values ($1, $2, $3, $4, 'ada', $5, 'x')`,
        [sessionKey, strategyId, memory.tenantId, memory.memoryId, sessionId],
      );
      await database.rows(
        `insert into parked_windows (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, from_sequence,
                                     to_sequence, code, attempts)
         values ($1, $2, $3, $4, 'ada', $5, 1, 2, 'x', 1)`,
        [sessionKey, strategyId, memory.tenantId, memory.memoryId, sessionId],
      );
    }
    const rows = new PgPersonalRows(database.dataSource);
    const left = async () =>
      (
        await database.rows<{ session_id: string }>(
          `select session_id from extraction_states where memory_id = $1
           union select session_id from parked_windows where memory_id = $1`,
          [memory.memoryId],
        )
      ).map((row) => row.session_id);
    await database.unitOfWork.run((tx) =>
      rows.eraseSessions(tx, { ...monday, tenantId: '00000000-0000-4000-8000-000000000000' }, [monday.sessionKey]),
    );
    expect(await left()).toHaveLength(2);
    await database.unitOfWork.run((tx) => rows.eraseSessions(tx, monday, [monday.sessionKey]));
    expect(await left()).toEqual(['tuesday']);
    await database.unitOfWork.run((tx) => rows.eraseSessions(tx, { ...monday, sessionId: null }, []));
    expect(await left()).toEqual([]);
  });

  it('in use delay their erasure, and not the answers to other requests of the memory, which it erases', async () => {
    const memory = await database.memory();
    const { tenantId, memoryId } = memory;
    const monday = await database.session(memory, 'monday');
    await database.rows(
      `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id)
       values ($1, $2, $3, $4, 'ada', 'monday')`,
      [monday.sessionKey, memory.strategyIds[0], tenantId, memoryId],
    );
    const requests = new PgIdempotentRequests(database.dataSource, testCipher);
    const request = { tenantId, route: 'append', key: 'one', fingerprint: 'body', memoryId };
    const begun = await requests.begin(request);
    const holder = database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`select from extraction_states where session_key = $1 for update`, [monday.sessionKey]);
    const rows = new PgPersonalRows(database.dataSource);
    const erased = database.unitOfWork.run((tx) => rows.eraseSessions(tx, monday, [monday.sessionKey]));
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(async () => (await database.rows(waiting)).length === 1);
    const answered = requests.answer(tenantId, 'requestId' in begun ? begun.requestId : '', '{"text":"x"}', null);
    const first = await Promise.race([answered.then(() => 'answered'), sleep(2_000, 'held')]);
    await holder.rollbackTransaction();
    await holder.release();
    await Promise.all([erased, answered]);
    expect(first).toBe('answered');
    expect(await requests.begin(request)).toEqual({ kind: 'missing' });
  });

  it('take deferred dispatch work with them, in the same transaction', async () => {
    const memory = await database.memory();
    const [monday, tuesday] = [await database.session(memory, 'monday'), await database.session(memory, 'tuesday')];
    await database.rows(
      `insert into deferred_progress (session_key, newest_sequence, turns, flush_through) select k, 1, 1, 0 from unnest($1::bigint[]) k`,
      [[monday.sessionKey, tuesday.sessionKey]],
    );
    await database.unitOfWork.run(async (tx) => {
      // Same role as the erasing process.
      await tx.query('set local role turnkeeper_app');
      await tx.query(`select set_config('turnkeeper.tenant', $1, true)`, [memory.tenantId]);
      await tx.query(`select close_sessions($1, $2, 'ada', 'monday', 'session_erased')`, [
        memory.tenantId,
        memory.memoryId,
      ]);
    });
    expect(await database.rows('select session_key::int from deferred_progress')).toEqual([
      { session_key: tuesday.sessionKey },
    ]);
  });

  it('that remain in namespaces with the actor’s name are counted, in no other namespace and not for a session', async () => {
    const memory = await database.memory();
    const { tenantId, memoryId } = memory;
    for (const namespace of ['/notes/ada', 'ada/notes', '/notes/adam', '/notes/ada', '/notes/a%2Fb']) {
      await database.rows(
        `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id,
           created_at, updated_at, stated_at)
         values ($1, $2, $3, $4, 'x', gen_random_uuid()::text, 'x', gen_random_uuid(), now(), now(), now())`,
        [randomUUID(), tenantId, memoryId, namespace],
      );
    }
    const rows = new PgPersonalRows(database.dataSource);
    const named = (actorId: string, sessionId: string | null = null, of = tenantId) =>
      rows.recordsNamedAfter({ tenantId: of, memoryId, actorId, sessionId });
    expect(await named('ada')).toEqual({ records: 3, namespaces: ['/notes/ada', 'ada/notes'] });
    expect(await named('a/b')).toEqual({ records: 1, namespaces: ['/notes/a%2Fb'] });
    const none = { records: 0, namespaces: [] };
    expect([await named('ad'), await named('ada', 'monday'), await named('ada', null, randomUUID())]).toEqual([
      ...[none, none, none],
    ]);
  });

  describe('of connectors', () => {
    /** A connector of a memory with the vendor's notices about a call. */
    const connected = async () => {
      const memory = await database.memory();
      const { tenantId, memoryId } = memory;
      const connectors = new PgConnectorStore(database.dataSource, testCipher);
      const notices = new PgNoticeStore(database.dataSource);
      const connectorId = randomUUID();
      await connectors.insert({
        connectorId,
        tenantId,
        memoryId,
        vendor: 'agora',
        description: '',
        createdAt: new Date(0).toISOString(),
        secrets: [newSecret('s', new Date(0))],
        places: { actorLabel: 'a', sessionLabel: 's' },
      });
      const receive = (callKey: string, place: { actorId: string; sessionId: string } | null = null) =>
        notices.receive({
          connectorId,
          tenantId,
          noticeKey: randomUUID(),
          callKey,
          eventType: '17/103',
          stamp: null,
          body: Buffer.from('{}'),
          status: 'waiting',
          code: null,
          place,
        });
      const kept = async () =>
        (
          await database.rows<{ call_key: string }>(
            `select call_key from connector_notices where body is not null and connector_id = $1 order by call_key`,
            [connectorId],
          )
        ).map((row) => row.call_key);
      const erase = (actorId: string, sessionId: string | null) =>
        database.unitOfWork.run((tx) =>
          new PgPersonalRows(database.dataSource).eraseCalls(tx, { tenantId, memoryId, actorId, sessionId }),
        );
      return { memory, connectors, notices, connectorId, receive, kept, erase };
    };

    it('are found by notice, mapping or fold of the call, in any state', async () => {
      const { connectors, notices, connectorId, receive, kept, erase } = await connected();
      await connectors.mapInstance(connectorId, 'mapped', { actorId: 'ada', sessionId: 'monday' });
      await receive('mapped');
      await receive('labelled', { actorId: 'ada', sessionId: 'monday' });
      await receive('labelled'); // does not identify the actor by itself
      await receive('tuesday', { actorId: 'ada', sessionId: 'tuesday' });
      await receive('other', { actorId: 'ben', sessionId: 'monday' });
      await receive('unknown');
      // One gets parked; the other is placed by its fold.
      for (let call = await notices.claimCall(30); call !== null; call = await notices.claimCall(30)) {
        const claim = call;
        if (claim.callKey === 'unknown') await notices.parkCall(claim, 'connector.actor_unknown', { keepBodies: true });
        const place = claim.callKey === 'tuesday' ? { actorId: 'ada', sessionId: 'evening' } : null;
        if (claim.callKey !== 'unknown') {
          await database.unitOfWork.run((tx) => notices.finishCall(tx, claim, { at: null, settledRound: null, place }));
        }
      }
      expect(await erase('nobody', null)).toMatchObject({ found: false });
      expect(await kept()).toEqual(['labelled', 'labelled', 'mapped', 'other', 'tuesday', 'unknown']);
      expect(await erase('ada', 'monday')).toMatchObject({ found: true });
      expect(await kept()).toEqual(['other', 'tuesday', 'unknown']);
      expect(await erase('ada', 'tuesday')).toMatchObject({ found: false });
      expect(await erase('ada', null)).toMatchObject({ found: true });
      expect(await kept()).toEqual(['other', 'unknown']);
      expect(await connectors.placeOfInstance(connectorId, 'mapped')).toBeNull();
    });

    it('include mappings that were replaced', async () => {
      const { memory, connectors, connectorId, erase } = await connected();
      const map = (actorId: string, sessionId: string) =>
        connectors.mapInstance(connectorId, 'i', { actorId, sessionId });
      const mappings = async (limit = 10, below?: number) => connectors.mappingsOf(connectorId, 'i', { below, limit });
      const actorsOf = (list: Awaited<ReturnType<typeof mappings>>) => list.map(({ actorId }) => actorId);
      await map('ada', 'monday');
      await map('ada', 'monday');
      await map('ben', 'monday');
      await map('ada', 'tuesday');
      const replacedAt = expect.stringMatching(/Z$/) as string;
      expect(await mappings()).toMatchObject([
        { instanceId: 'i', actorId: 'ada', sessionId: 'tuesday', replacedAt: null },
        { instanceId: 'i', actorId: 'ben', sessionId: 'monday', replacedAt },
        { instanceId: 'i', actorId: 'ada', sessionId: 'monday', replacedAt },
      ]);
      const [first, second] = await mappings(2);
      expect(actorsOf(await mappings(1, first!.nth))).toEqual(['ben']);
      expect(actorsOf(await mappings(9, second!.nth))).toEqual(['ada']);
      expect(await erase('ada', 'monday')).toMatchObject({ found: true });
      expect(actorsOf(await mappings())).toEqual(['ada', 'ben']);
      await map('eve', 'friday');
      expect(await erase('ada', null)).toMatchObject({ found: true });
      expect(actorsOf(await mappings())).toEqual(['eve', 'ben']);
      expect(await erase('ada', null)).toMatchObject({ found: false });
      // An erasure by a process of the previous release does not know them.
      await map('ben', 'tuesday');
      await map('eve', 'friday');
      const erasedByOld = (sessionId: string | null) =>
        database.rows(`select close_sessions($1, $2, 'ben', $3, 'actor_erased')`, [
          memory.tenantId,
          memory.memoryId,
          sessionId,
        ]);
      await erasedByOld('monday');
      expect(actorsOf(await mappings())).toEqual(['eve', 'ben', 'eve']);
      await erasedByOld(null);
      expect(actorsOf(await mappings())).toEqual(['eve', 'eve']);
    });

    it('abort a fold in progress', async () => {
      const { notices, receive, erase } = await connected();
      await receive('call', { actorId: 'ada', sessionId: 'monday' });
      const claim = (await notices.claimCall(30))!;
      await erase('ada', null);
      const late = database.unitOfWork.run((tx) =>
        notices.finishCall(tx, claim, { at: null, settledRound: null, place: { actorId: 'ada', sessionId: 'monday' } }),
      );
      await expect(late).rejects.toMatchObject({ code: 'connector.call_lost' });
    });

    it('are deleted with their memory', async () => {
      const [{ memory, receive, kept }, other] = [await connected(), await connected()];
      await receive('call');
      await other.receive('call');
      await database.rows(`update memories set status = 'DELETED' where memory_id = $1`, [memory.memoryId]);
      while (await new PgPersonalRows(database.dataSource).purgeDeletedMemories(10));
      expect([await kept(), await other.kept()]).toEqual([[], ['call']]);
    });

    it('that are parked are deleted if they name the actor, and kept if they name another', async () => {
      const { notices, memory, connectorId, kept, erase } = await connected();
      const { tenantId } = memory;
      for (const [callKey, user] of [
        ['names ada', 'ada'],
        ['names adam', 'adam'],
      ] as const) {
        await notices.receive({
          connectorId,
          tenantId,
          noticeKey: randomUUID(),
          callKey,
          eventType: 'ASRResult',
          stamp: null,
          place: null,
          body: Buffer.from(JSON.stringify({ UserId: user })),
          status: 'parked',
          code: 'notice.unreadable',
        });
      }
      expect(await erase('ada', 'monday')).toEqual({ found: false, callbacks: 0 });
      expect(await erase('ada', null)).toEqual({ found: true, callbacks: 1 });
      expect(await kept()).toEqual(['names adam']);
    });
  });
});
