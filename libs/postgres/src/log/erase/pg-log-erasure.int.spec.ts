import { randomUUID } from 'node:crypto';
import type { SessionScope } from '@turnkeeper/application';
import { creation, message, messages, recordsExtracted } from '@turnkeeper/testing';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog, type PgEventStore } from '../../index.js';
import { LogDatabase } from '../../testing/log-database.js';

describe('log erasure', () => {
  let log: LogDatabase;
  let store: PgEventStore;
  let pool: pg.Pool;
  beforeAll(async () => {
    log = await LogDatabase.create();
    ({ store, pool } = log);
  });
  afterAll(() => log?.close());

  const newMemory = async (days = 30): Promise<{ tenantId: string; memoryId: string }> => {
    const request = creation(randomUUID(), randomUUID(), days);
    await store.append(request);
    return { tenantId: request.tenantId, memoryId: request.memoryId };
  };
  const sessionOf = (memory: { tenantId: string; memoryId: string }, sessionId = 'monday'): SessionScope => ({
    ...memory,
    actorId: 'ada',
    sessionId,
  });
  const read = (scope: SessionScope) => store.readSession(scope, { order: 'oldest-first', limit: 1_000 });
  const count = async (text: string, ...values: unknown[]): Promise<number> =>
    Number((await pool.query<{ n: string }>(`select count(*) as n from ${text}`, values)).rows[0]?.n);

  it('deletes one event permanently and keeps its position', async () => {
    const scope = sessionOf(await newMemory());
    const { firstPosition } = await store.append({ ...scope, events: messages(3) });
    const [, event] = await read(scope);
    await log.transaction((tx) => store.erasure.eraseEvent(tx, event!));
    expect((await read(scope)).map(({ sequence }) => sequence)).toEqual([1, 3]);
    expect(await store.directory.findEvent(scope, event!.eventId)).toBeNull();
    expect(await count('tombstones where position = $1 and reason = $2', firstPosition + 1, 'erased')).toBe(1);
    expect(await store.append({ ...scope, events: [message()] })).toMatchObject({ firstSequence: 4 });
  });

  it("does not delete another tenant's event", async () => {
    const scope = sessionOf(await newMemory());
    await store.append({ ...scope, events: [message()] });
    const [event] = await read(scope);
    await log.transaction((tx) => store.erasure.eraseEvent(tx, { ...event!, tenantId: randomUUID() }));
    expect(await read(scope)).toHaveLength(1);
  });

  it('closes a session for all readers immediately and deletes its events later', async () => {
    const memory = await newMemory();
    const [scope, other] = [sessionOf(memory), sessionOf(memory, 'tuesday')];
    const { firstPosition } = await store.append({ ...scope, events: messages(3) });
    await store.append({ ...scope, events: [recordsExtracted()] });
    await store.append({ ...other, events: [message()] });
    const keys = await log.closeSessions(scope);
    expect(await read(scope)).toEqual([]);
    expect(await store.countSession(scope, {})).toBe(0);
    expect((await store.readLog(firstPosition - 1, 10)).map(({ sessionId }) => sessionId)).toEqual(['tuesday']);
    expect(await store.directory.findSession(scope)).toBeNull();
    expect(await count('events where session_key = any($1)', keys)).toBe(4);
    const stopping = AbortSignal.abort(new Error('stopping'));
    await expect(store.erasure.purgeSessions(keys, stopping)).rejects.toThrow('stopping');
    expect(await store.erasure.purgeSessions(keys)).toBe(4);
    expect(await count('events where session_key = any($1)', keys)).toBe(0);
    expect(await count("tombstones where session_key = any($1) and reason = 'session_erased'", keys)).toBe(4);
    expect(await store.erasure.purgeSessions(keys)).toBe(0);
    expect(await read(other)).toHaveLength(1);
  });

  it('lets a new session reuse the name of a closed one, starting at sequence 1', async () => {
    const scope = sessionOf(await newMemory());
    await store.append({ ...scope, events: messages(2) });
    await log.closeSessions(scope);
    expect(await store.append({ ...scope, events: [message()], expectedSequence: 0 })).toMatchObject({
      firstSequence: 1,
    });
    expect(await read(scope)).toHaveLength(1);
  });

  it('closes all sessions of an actor, including hidden ones, and no others', async () => {
    const memory = await newMemory();
    const hidden = sessionOf(memory, '\u0001id\u0001monday');
    for (const scope of [sessionOf(memory), hidden, sessionOf(memory, '')]) {
      await store.append({ ...scope, events: [message()] });
    }
    const eve = { ...sessionOf(memory), actorId: 'eve' };
    await store.append({ ...eve, events: [message()] });
    expect(await log.closeSessions({ ...memory, actorId: 'ada', sessionId: null })).toHaveLength(3);
    expect(await store.directory.findActor(memory.tenantId, memory.memoryId, 'ada')).toBeNull();
    expect(await read(eve)).toHaveLength(1);
  });

  it('also closes submissions under the session name', async () => {
    const memory = await newMemory();
    await store.append({ ...sessionOf(memory), events: [message()] });
    await store.append({ ...sessionOf(memory, '\u0001id\u0001monday'), events: [message()] });
    await store.append({ ...sessionOf(memory, '\u0001id\u0001tuesday'), events: [message()] });
    expect(await log.closeSessions(sessionOf(memory))).toHaveLength(2);
  });

  it('redacts the derived event only', async () => {
    const scope = sessionOf(await newMemory());
    await store.append({ ...scope, events: messages(2) });
    const event = recordsExtracted();
    await store.append({ ...scope, events: [event] });
    await log.transaction((tx) =>
      store.erasure.redact(tx, { tenantId: scope.tenantId, eventId: event.eventId }, { redacted: true } as never),
    );
    const { rows } = await pool.query(
      'select data, redacted_at is not null as marked from events where event_id = $1',
      [event.eventId],
    );
    expect(rows).toEqual([{ data: { redacted: true }, marked: true }]);
    const [said] = await read(scope);
    await log.transaction((tx) => store.erasure.redact(tx, said!, { redacted: true } as never));
    expect((await read(scope))[0]?.data).toEqual(said!.data);
  });

  it('purges expired events in order and keeps every position', async () => {
    const scope = sessionOf(await newMemory(1));
    await store.append({ ...scope, events: messages(7) });
    await store.append({ ...scope, events: [recordsExtracted()] });
    await pool.query(
      `begin; set local turnkeeper.change = 'expiry';
       update events set expires_at = now() where memory_id = '${scope.memoryId}' and expires_at is not null; commit`,
    );
    expect(await store.erasure.purgeExpired()).toBe(7);
    expect(await count("tombstones where tenant_id = $1 and reason = 'expired'", scope.tenantId)).toBe(7);
    expect(await count('events where memory_id = $1', scope.memoryId)).toBe(2);
    expect(await store.append({ ...scope, events: [message()] })).toMatchObject({ firstSequence: 8 });
  });

  it('applies a new retention to new events, and to older ones on request', async () => {
    const memory = await newMemory(30);
    const scope = sessionOf(memory);
    const daysLeft = async () =>
      (await read(scope)).map((event) =>
        Math.round((Date.parse(event.expiresAt!) - Date.parse(event.recordedAt)) / 86_400_000),
      );
    const change = (eventExpiryDuration: number, appliedToExisting: boolean) =>
      store.append({
        ...memory,
        actorId: null,
        sessionId: null,
        events: [
          {
            eventId: randomUUID(),
            type: 'memory.expiry_changed',
            schemaVersion: 1,
            occurredAt: null,
            data: { eventExpiryDuration, appliedToExisting },
          },
        ],
      });
    await store.append({ ...scope, events: [message()] });
    await change(7, false);
    await store.erasure.applyExpiry(null);
    await store.append({ ...scope, events: [message()] });
    expect(await daysLeft()).toEqual([30, 7]);
    await change(90, true);
    await store.append({ ...scope, events: [message()] });
    await store.erasure.applyExpiry(memory.memoryId);
    expect(await daysLeft()).toEqual([90, 90, 90]);
    expect(await count('expiry_changes')).toBe(0);
  });

  it('closes a deleted memory to appends and log readers, and purges it', async () => {
    const memory = await newMemory();
    const scope = sessionOf(memory);
    await store.append({ ...scope, events: messages(3) });
    await store.append({ ...scope, events: [recordsExtracted()] });
    const deleted = {
      eventId: randomUUID(),
      type: 'memory.deleted',
      schemaVersion: 1,
      occurredAt: null,
      data: {},
    } as const;
    const { firstPosition } = await store.append({ ...memory, actorId: null, sessionId: null, events: [deleted] });
    await expect(store.append({ ...scope, events: [message()] })).rejects.toThrow('There is no such memory.');
    expect((await store.readLog(firstPosition - 5, 10)).map(({ type }) => type)).toEqual(['memory.deleted']);
    expect(await store.erasure.purgeDeletedMemories()).toBe(5);
    expect(await count('events where memory_id = $1', memory.memoryId)).toBe(1);
    expect(await count('sessions where memory_id = $1', memory.memoryId)).toBe(0);
    expect(await store.erasure.purgeDeletedMemories()).toBe(0);
  });

  it('is atomic with concurrent appends: a session is stored completely or not at all', async () => {
    const memory = await newMemory();
    const scope = sessionOf(memory);
    const keys: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const appends = Array.from({ length: 8 }, () => store.append({ ...scope, events: messages(3) }));
      keys.push(...(await log.closeSessions(scope)));
      await Promise.all(appends);
    }
    await store.erasure.purgeSessions(keys);
    expect(await count('events where session_key = any($1)', keys)).toBe(0);
  });

  it('leaves a log that passes the audit', async () => {
    const { findings, tombstones } = await auditLog(log.url);
    expect(findings).toEqual([]);
    expect(tombstones).toBeGreaterThan(20);
  });
});
