import { randomUUID } from 'node:crypto';
import type { RecordConditions } from '@turnkeeper/application';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NAMESPACE, RecordWork } from '../../testing/record-work.js';
import { PgRecordReader } from './record-reader.js';

const MANY = 10_000;
/** More than are all scored because they meet the conditions. */
const OF_CLEO = 300;
const NEEDLES = ['Packs the drum.', 'Bought a drum.', 'Sold his drum.'];

describe(`records that meet conditions, among ${MANY.toLocaleString('en-US')}`, () => {
  const work = new RecordWork();
  const { source, record, apply } = work;
  const statedAt = '2026-03-01T00:00:00.000Z';
  let sourceEventId: string;
  beforeAll(async () => {
    await work.start();
    const { session, strategyId, database } = await prepare();
    // Half of them say more of the question than the others do, and all are newer.
    await insert(`'Packs the old drum away with care, day ' || n`, `'{"subject": "Ben"}'`, MANY / 2);
    await insert(`'Waters the plants, day ' || n`, `'{"subject": "Ben"}'`, MANY / 2);
    await insert(`'Saw a drum, day ' || n`, `'{"subject": "Cleo"}'`, OF_CLEO);
    await database.rows('analyze records, record_sources');
    sourceEventId = session.eventId;
    await apply(
      {
        strategyId,
        records: NEEDLES.map((text) =>
          record(text, {
            ...{
              subject: 'Ada',
              category: 'plan',
              attribute: { name: 'instrument', value: 'drum', single: true },
              statedAt,
            },
            ...{ eventTime: { from: '2024-05-02', to: '2024-05-04' } },
            sources: [{ ...source(text, 1), eventId: session.eventId }],
          }),
        ),
      },
      session.scope,
    );
    await database.rows(`update records set created_at = '2020-01-01' where text = any ($1)`, [NEEDLES]);
  }, 60_000);
  afterAll(work.close);

  const strategyId = randomUUID();
  const prepare = async () => {
    const { database } = work;
    const memory = await database.memory();
    Object.assign(work, memory);
    const session = await database.session(memory, 'monday');
    const eventId = randomUUID();
    await database.rows(
      `insert into events (partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version,
         data, recorded_at)
       select 0, coalesce(max(position), 0) + 1, $1, $2, $3, $4, 1, 'message.appended', 1, $5, now() from events`,
      [
        ...[eventId, memory.tenantId, memory.memoryId, session.sessionKey],
        JSON.stringify({ role: 'user', content: 'q', metadata: { channel: 'voice', desk: 7, note: '\ud83e' } }),
      ],
    );
    const scope = { sessionId: 'monday', sessionKey: session.sessionKey };
    return { database, strategyId, session: { eventId, scope } };
  };
  const insert = (text: string, details: string, count: number) =>
    work.database.rows(
      `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id, created_at,
         updated_at, stated_at, details)
       select gen_random_uuid(), $1, $2, $3, ${text}, ${text}, '', gen_random_uuid(), '2021-01-01', now(), '2025-01-01',
         ${details}::jsonb
       from generate_series(1, $4::integer) n`,
      [work.tenantId, work.memoryId, NAMESPACE, count],
    );
  const query = { text: 'Who packs the old drum away with care?', limit: 5, scoreThreshold: 0 };
  const search = (conditions: RecordConditions, reader = work.reader) =>
    reader.search(work.tenantId, work.memoryId, NAMESPACE, { ...query, conditions });
  const textsOf = (records: readonly { text: string }[]) => records.map(({ text }) => text).sort();
  const found = async (conditions: RecordConditions) => textsOf(await search(conditions));
  const listed = async (conditions: RecordConditions) =>
    textsOf(
      await work.reader.list(work.tenantId, work.memoryId, {
        ...{ namespace: NAMESPACE, includeSuperseded: false, limit: 5, ...conditions },
      }),
    );

  const MET: Readonly<Record<string, () => RecordConditions>> = {
    strategy: () => ({ strategyId }),
    category: () => ({ category: 'plan' }),
    attribute: () => ({ attribute: 'instrument' }),
    subject: () => ({ subject: 'ADA' }),
    'session of a source': () => ({ sourceSessionId: 'monday' }),
    'event of a source': () => ({ sourceEventId }),
    'metadata of a source': () => ({ sourceMetadata: { channel: 'voice', desk: 7 } }),
    'time of the statement': () => ({ saidFrom: statedAt, saidTo: statedAt }),
    'day that it is about': () => ({ eventTimeFrom: '2024-05-04', eventTimeTo: '2024-05-09' }),
    'time of creation': () => ({ createdTo: '2020-12-31T00:00:00Z' }),
    'two conditions': () => ({ subject: 'Ada', createdFrom: '2020-01-01T00:00:00Z' }),
  };
  it.each(Object.entries(MET))('are found and listed by %s', async (_, conditions) => {
    expect(await found(conditions())).toEqual([...NEEDLES].sort());
    expect(await listed(conditions())).toEqual([...NEEDLES].sort());
  });

  const UNMET: Readonly<Record<string, () => RecordConditions>> = {
    'session of a source': () => ({ sourceSessionId: 'tuesday' }),
    'metadata of a source': () => ({ sourceMetadata: { channel: 'voice', desk: 8 } }),
    'metadata that no message has': () => ({ sourceMetadata: { channel: 'voice', floor: '1' } }),
    'day after it': () => ({ eventTimeFrom: '2024-05-05' }),
    'day before it': () => ({ subject: 'Ada', eventTimeTo: '2024-05-01' }),
    'two conditions': () => ({ subject: 'Ada', createdFrom: '2020-01-02T00:00:00Z' }),
  };
  it.each(Object.entries(UNMET))('are none by another %s', async (_, conditions) => {
    expect(await found(conditions())).toEqual([]);
    expect(await listed(conditions())).toEqual([]);
  });

  it('are found although hundreds of others say more of the question', async () => {
    expect(await found({ subject: 'Cleo' })).toHaveLength(5);
    expect(new Set((await search({ subject: 'Cleo' })).map(({ subject }) => subject))).toEqual(new Set(['Cleo']));
    expect(await found({ saidTo: '2025-06-01T00:00:00Z' })).toHaveLength(5);
  });

  it('score as without conditions', async () => {
    const scores = async (conditions: RecordConditions) => {
      const hits = await search(conditions);
      return hits.map(({ score }) => score);
    };
    expect(await scores({ subject: 'Ben' })).toEqual(await scores({}));
  });

  it('are compared by meaning alone', async () => {
    const asked: (readonly string[] | null)[] = [];
    const reader = new PgRecordReader(work.database.dataSource, {
      nearest: (_scope, _question, _most, only) => {
        asked.push(only);
        return Promise.resolve({ records: [], compared: 3 });
      },
    });
    await search({ subject: 'Ada' }, reader);
    expect(asked.map((only) => only?.length)).toEqual([3]);
  });
});
