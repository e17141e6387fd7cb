import { randomUUID } from 'node:crypto';
import type { ErasureScope } from '@turnkeeper/application';
import { rowsReadBySteps, type ExplainedRow } from '@turnkeeper/testing';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { recordSnapshot } from '../../testing/record-snapshot.js';
import { PgRecordReader } from './record-reader.js';
import { PgRecordWriter } from './record-writer.js';

const MANY = 3_000;
const FEW = 30;

describe(`a few among ${MANY} records of a memory`, () => {
  const writer = new PgRecordWriter();
  let database: ReadModelDatabase;
  let memory: { tenantId: string; memoryId: string };
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    memory = await database.memory();
    await database.rows(
      `with added as (
         insert into records (record_id, tenant_id, memory_id, actor_id, session_key, namespace, text, fact_key, extractor,
           event_id, created_at, updated_at, stated_at)
         select gen_random_uuid(), $1, $2, 'bob', 1000000 + n / 10, '/many', 'Sails on day ' || n, n::text,
           'offline-rules@1', gen_random_uuid(), now(), now(), now()
         from generate_series(1, $3::int) n
         returning record_id, session_key
       )
       insert into record_sources (record_id, event_id, tenant_id, session_key, sequence, role, quote)
       select record_id, gen_random_uuid(), $1, session_key, 1, 'user', 'q' from added`,
      [memory.tenantId, memory.memoryId, MANY],
    );
    await database.rows('analyze records, record_sources');
  });
  afterAll(() => database?.close());

  /** A session with one event, and a record for each kind of relation to the session. */
  const sessionWithRecords = async (sessionId: string) => {
    const session = await database.session(memory, sessionId);
    await database.say(session, 1);
    const [said] = await database.rows<{ event_id: string }>('select event_id from events where session_key = $1', [
      session.sessionKey,
    ]);
    const eventId = said!.event_id;
    const save = (text: string, parts: object, origin: object = {}) => {
      const record = recordSnapshot('2026-01-01T00:00:00.000Z', {
        ...{ text: `${text} of ${sessionId}`, sources: [], actorId: null },
        ...parts,
      });
      return database.unitOfWork.run((tx) =>
        writer.save(tx, { ...memory, eventId: randomUUID(), sessionKey: null, ...origin }, [record]),
      );
    };
    await save('extracted', {}, { sessionKey: session.sessionKey });
    await save('citing', { sources: [{ eventId, sequence: 1, role: 'user', quote: 'q' }] });
    await save('about the actor', { actorId: 'ada' });
    return { session, eventId, save };
  };

  const textsLeft = async () => {
    const filter = { namespace: '/n', includeSuperseded: true, limit: 100 };
    const records = await new PgRecordReader(database.dataSource).list(memory.tenantId, memory.memoryId, filter);
    return records.map(({ text }) => text);
  };
  /** Erases the records of the session, and counts the rows that this reads. */
  const erase = async (scope: ErasureScope, sessionKey: number): Promise<number> => {
    const finding = await database.rowsReadBy('records', async (tx) => {
      expect(await writer.namespacesOf(tx, scope, [sessionKey])).toEqual(['/n']);
    });
    const erasing = await database.rowsReadBy('records', (tx) => writer.eraseSessions(tx, scope, [sessionKey]));
    return Math.max(finding, erasing);
  };

  it('are found by an erasure without reading the others', async () => {
    const { session } = await sessionWithRecords('monday');
    expect(await erase(session, session.sessionKey)).toBeLessThan(FEW);
    expect(await textsLeft()).toEqual(['about the actor of monday']);
    expect(await erase({ ...session, sessionId: null }, session.sessionKey)).toBeLessThan(FEW);
    expect(await textsLeft()).toEqual([]);
  });

  it('are found by an erasure if their account is in the session', async () => {
    const { session, save } = await sessionWithRecords('tuesday');
    const accountId = randomUUID();
    await database.rows(
      `insert into events (partition, position, event_id, tenant_id, memory_id, session_key, type, schema_version, data,
         recorded_at)
       select 0, max(position) + 1, $1, $2, $3, $4, 'records.inserted', 1, '{}', now() from events`,
      [accountId, memory.tenantId, memory.memoryId, session.sessionKey],
    );
    await save('stated by hand', {}, { eventId: accountId });
    await erase(session, session.sessionKey);
    expect(await textsLeft()).toEqual(['about the actor of tuesday']);
  });

  it('are listed by their source without reading the others', async () => {
    const { eventId } = await sessionWithRecords('wednesday');
    const rows: number[] = [];
    const query = async (text: string, values: unknown[]): Promise<unknown> => {
      const [explained] = await database.rows<ExplainedRow>(`explain (analyze, format json) ${text}`, values);
      rows.push(Math.max(...rowsReadBySteps(explained!)));
      return database.rows(text, values);
    };
    const measuring = new PgRecordReader({ manager: { query } } as unknown as DataSource);
    const listed = await measuring.list(memory.tenantId, memory.memoryId, {
      ...{ sourceEventId: eventId, includeSuperseded: false, limit: 20 },
    });
    expect(listed.map(({ text }) => text)).toEqual(['citing of wednesday']);
    expect(Math.max(...rows)).toBeLessThan(FEW);
  });
});
