import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../testing/read-model-database.js';
import { cipherWith } from '../testing/test-cipher.js';
import { sealStoredSecrets } from '../secrets/seal-stored-secrets.js';
import { PgIdempotentRequests } from './idempotent-requests.js';
import { PgPersonalRows } from '../erasure/personal-rows.js';
import { PgRecordWriter } from '../projections/records/record-writer.js';

describe('first answers to requests with an idempotency key', () => {
  let database: ReadModelDatabase;
  let requests: PgIdempotentRequests;
  let tenantId: string;
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    requests = new PgIdempotentRequests(database.dataSource, cipherWith('a'));
  });
  beforeEach(() => {
    tenantId = randomUUID();
  });
  afterAll(() => database.close());

  const request = (more: object = {}) => ({
    tenantId,
    route: 'createKey',
    key: 'one',
    fingerprint: 'body',
    memoryId: null,
    ...more,
  });
  const begin = (more: object = {}) => requests.begin(request(more));
  const begun = async (more: object = {}): Promise<string> => {
    const first = await begin(more);
    if (first.kind !== 'first') throw new Error(first.kind);
    return first.requestId;
  };
  const answered = async (answer: string, more: object = {}) =>
    requests.answer(tenantId, await begun(more), answer, null);

  it('are returned to the same request, for one tenant and route', async () => {
    await answered('{"apiKey":"tk_secret"}');
    expect(await begin()).toEqual({ kind: 'answered', answer: '{"apiKey":"tk_secret"}' });
    expect(await begin({ fingerprint: 'other' })).toEqual({ kind: 'differs' });
    expect(await begin({ route: 'createTenant' })).toMatchObject({ kind: 'first' });
    expect(await begin({ tenantId: randomUUID() })).toMatchObject({ kind: 'first' });
  });

  it('are stored encrypted, and follow a rotation of the key', async () => {
    await answered('{"apiKey":"tk_secret"}');
    const [row] = await database.rows<{ answer: string }>(
      'select answer from idempotent_requests where tenant_id = $1',
      [tenantId],
    );
    expect(row?.answer).toMatch(/^enc:v1:/);
    await sealStoredSecrets(database.dataSource, cipherWith('b', 'a'));
    const later = new PgIdempotentRequests(database.dataSource, cipherWith('b'));
    expect(await later.begin(request())).toEqual({ kind: 'answered', answer: '{"apiKey":"tk_secret"}' });
  });

  it('are given by one of many concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => begin()));
    expect(all.map(({ kind }) => kind).sort()).toEqual(['first', ...Array<string>(9).fill('running')]);
  });

  it('are missing if the process died or does not know the outcome: the request does not run again', async () => {
    await begun();
    await database.rows('update idempotent_requests set running_until = now() where tenant_id = $1', [tenantId]);
    expect(await begin()).toEqual({ kind: 'missing' });
    const other = await begun({ key: 'two' });
    await requests.interrupt(tenantId, other);
    expect(await begin({ key: 'two' })).toEqual({ kind: 'missing' });
  });

  it('free the key if the request was rejected, and after 24 hours', async () => {
    await requests.forget(tenantId, await begun());
    await answered('1');
    const age = (hours: number) =>
      database.rows(
        'update idempotent_requests set created_at = now() - make_interval(hours => $2) where tenant_id = $1',
        [tenantId, hours],
      );
    await age(23);
    expect(await requests.forgetOld(10)).toBe(0);
    expect(await begin()).toMatchObject({ kind: 'answered' });
    await age(25);
    expect(await begin({ fingerprint: 'other' })).toMatchObject({ kind: 'first' });
    await age(25);
    expect(await requests.forgetOld(10)).toBe(1);
  });

  describe('about a memory are erased with what they are about', () => {
    it.each<[string, (scope: { tenantId: string; memoryId: string; sessionKey: number }) => Promise<unknown>]>([
      [
        'a session or an actor',
        (scope) =>
          database.unitOfWork.run((tx) =>
            new PgPersonalRows(database.dataSource).eraseSessions(
              tx,
              { ...scope, actorId: 'ada', sessionId: null },
              [],
            ),
          ),
      ],
      [
        'an event',
        ({ sessionKey }) =>
          database.unitOfWork.run((tx) =>
            new PgPersonalRows(database.dataSource).forgetCopies(tx, tenantId, sessionKey),
          ),
      ],
      [
        'a record',
        async ({ memoryId }) => {
          const recordId = randomUUID();
          await database.rows(
            `insert into records (record_id, tenant_id, memory_id, namespace, text, fact_key, extractor, event_id,
                                  created_at, updated_at, stated_at)
             values ($1, $2, $3, '/n', 'x', 'x', 'caller', $1, now(), now(), now())`,
            [recordId, tenantId, memoryId],
          );
          await database.unitOfWork.run((tx) => new PgRecordWriter().withdraw(tx, tenantId, [recordId]));
        },
      ],
      [
        'a memory',
        (scope) => database.unitOfWork.run((tx) => new PgPersonalRows(database.dataSource).eraseAgents(tx, scope)),
      ],
    ])('%s', async (_, erase) => {
      const { memoryId } = await database.memory({ tenantId });
      const session = await database.session({ tenantId, memoryId });
      await answered('"personal"', { memoryId });
      await answered('"elsewhere"', { key: 'two', memoryId: randomUUID() });
      // Still running: its answer may contain what is erased now.
      const late = await begun({ key: 'three', memoryId });
      await erase(session);
      expect(await begin({ memoryId })).toEqual({ kind: 'missing' });
      expect(await begin({ key: 'two' })).toMatchObject({ kind: 'answered' });
      await requests.answer(tenantId, late, '"personal"', memoryId);
      expect(await begin({ key: 'three' })).toEqual({ kind: 'missing' });
    });
  });
});
