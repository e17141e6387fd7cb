import { randomUUID } from 'node:crypto';
import type { SessionScope } from '@turnkeeper/application';
import { RepeatOfErased } from '@turnkeeper/domain';
import { message, newSession } from '@turnkeeper/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PgEventStore } from '../../index.js';
import { LogDatabase } from '../../testing/log-database.js';

describe('a late repeat of an append whose content was erased', () => {
  let log: LogDatabase;
  let store: PgEventStore;
  let scope: SessionScope;
  beforeAll(async () => {
    log = await LogDatabase.create({ asAdmin: true });
    ({ store } = log);
  });
  afterAll(() => log?.close());
  beforeEach(async () => {
    scope = await newSession(store);
  });

  /** As derived from an idempotency key: version 8. */
  const derived = () => ({ ...message('My secret.'), eventId: randomUUID().replace(/^(.{14})4/, '$18') });
  const keyed = (count = 1) => ({
    ...scope,
    events: Array.from({ length: count }, derived),
    fingerprint: 'aa'.repeat(32),
  });
  const erase = async (of: SessionScope): Promise<void> => {
    await store.erasure.purgeSessions(await log.closeSessions(of));
  };
  const stored = async () => (await store.readSession(scope, { order: 'oldest-first', limit: 100 })).length;
  const idsKept = async () => (await log.pool.query('select * from erased_event_ids')).rows;

  it('is refused after its session was erased, before and after the purge', async () => {
    const request = keyed(3);
    await store.append(request);
    const keys = await log.closeSessions(scope);
    await expect(store.append(request)).rejects.toBeInstanceOf(RepeatOfErased);
    expect((await store.erasedAmong(scope.tenantId, [request.events[1]!.eventId])).size).toBe(1);
    await store.erasure.purgeSessions(keys);
    await expect(store.append(request)).rejects.toBeInstanceOf(RepeatOfErased);
    expect((await store.erasedAmong(scope.tenantId, [request.events[1]!.eventId])).size).toBe(1);
    expect(await stored()).toBe(0);
    // Whatever else is said in a session of this name is new.
    expect(await store.append(keyed())).toMatchObject({ duplicate: false, firstSequence: 1 });
  });

  it('is refused after its actor was erased, or one of its events', async () => {
    const request = keyed(3);
    await store.append(request);
    const [, second] = await store.readSession(scope, { order: 'oldest-first', limit: 3 });
    await log.transaction((tx) => store.erasure.eraseEvent(tx, second!));
    await expect(store.append({ ...scope, events: [request.events[1]!] })).rejects.toBeInstanceOf(RepeatOfErased);
    await expect(store.append({ ...scope, events: [derived(), request.events[1]!] })).rejects.toBeInstanceOf(
      RepeatOfErased,
    );
    await erase({ ...scope, sessionId: null } as unknown as SessionScope);
    await expect(store.append(request)).rejects.toBeInstanceOf(RepeatOfErased);
    expect(await stored()).toBe(0);
  });

  it('does not fail other requests of the same batch', async () => {
    const request = keyed();
    await store.append(request);
    await erase(scope);
    const storm = await Promise.allSettled(
      Array.from({ length: 40 }, (_, nth) => store.append(nth % 2 === 0 ? request : keyed())),
    );
    expect(storm.map(({ status }) => status)).toEqual(
      Array.from({ length: 40 }, (_, nth) => (nth % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(await stored()).toBe(20);
  });

  it('is recognised by the id alone, for as long as the event would have lived', async () => {
    const before = (await idsKept()).length;
    const request = keyed();
    await store.append({ ...scope, events: [message('without a key')] });
    await store.append(request);
    await erase(scope);
    const kept = await idsKept();
    expect(kept).toHaveLength(before + 1);
    const own = kept.find(({ event_id: id }) => id === request.events[0]?.eventId) as Record<string, unknown>;
    expect(Object.keys(own).sort()).toEqual(['event_id', 'tenant_id', 'until']);
    expect((own['until'] as Date).getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    await store.erasure.mergeTombstones(30);
    await expect(store.append(request)).rejects.toBeInstanceOf(RepeatOfErased);
    await log.pool.query(`update erased_event_ids set until = now() - interval '1 second'`);
    await store.erasure.mergeTombstones(30);
    expect(await idsKept()).toEqual([]);
    expect(await store.append(request)).toMatchObject({ duplicate: false });
  });
});
