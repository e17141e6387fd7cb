import { randomUUID } from 'node:crypto';
import type { ErasedSources, SessionScope, Transaction } from '@turnkeeper/application';
import { type RecordSnapshot } from '@turnkeeper/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { recordSnapshot } from '../../testing/record-snapshot.js';
import { PgRecordReader } from './record-reader.js';
import { PgRecordWriter } from './record-writer.js';

describe('record changes', () => {
  let database: ReadModelDatabase;
  let reader: PgRecordReader;
  const writer = new PgRecordWriter();
  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    reader = new PgRecordReader(database.dataSource);
  });
  afterAll(() => database?.close());

  const run = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.unitOfWork.run(work);
  let clock = 0;
  const snapshot = (text: string, parts: Partial<RecordSnapshot> = {}): RecordSnapshot => {
    clock += 1;
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, clock)).toISOString();
    return recordSnapshot(at, { text, ...parts });
  };
  /** Creates a memory with records, and an event in each session as their source. */
  const given = async (...sessionIds: string[]) => {
    const memory = await database.memory();
    const sessions: (SessionScope & { sessionKey: number; eventId: string })[] = [];
    for (const sessionId of sessionIds) {
      const session = await database.session(memory, sessionId);
      await database.say(session, 1);
      const [event] = await database.rows<{ event_id: string }>('select event_id from events where session_key = $1', [
        session.sessionKey,
      ]);
      sessions.push({ ...session, eventId: event!.event_id });
    }
    const restingOn = (...indexes: number[]) =>
      indexes.map((index) => ({ eventId: sessions[index]!.eventId, sequence: 1, role: 'user', quote: 'q' }));
    const save = (record: RecordSnapshot, index: number | null = null) =>
      run((tx) =>
        writer.save(
          tx,
          {
            tenantId: memory.tenantId,
            memoryId: memory.memoryId,
            eventId: randomUUID(),
            sessionKey: index === null ? null : sessions[index]!.sessionKey,
          },
          [record],
        ),
      );
    const all = async () =>
      (await reader.list(memory.tenantId, memory.memoryId, { includeSuperseded: true, limit: 100 })).map(
        ({ text }) => text,
      );
    const current = async () =>
      (await reader.list(memory.tenantId, memory.memoryId, { includeSuperseded: false, limit: 100 })).map(
        ({ text }) => text,
      );
    return { ...memory, sessions, restingOn, save, all, current };
  };
  const textsOf = ({ survivors }: ErasedSources): string[] => survivors.map(({ text }) => text);

  it('lists by namespace, strategy, source and time, page by page', async () => {
    const { tenantId, memoryId, strategyIds, save, restingOn, sessions } = await given('a');
    const strategyId = strategyIds[0]!;
    const one = snapshot('one', { strategyId, sources: restingOn(0) });
    const two = snapshot('two', { namespace: '/other' });
    const three = snapshot('three', { strategyId });
    for (const record of [one, two, three]) await save(record);
    const list = async (filter: object) =>
      (await reader.list(tenantId, memoryId, { includeSuperseded: false, limit: 100, ...filter })).map(
        ({ text }) => text,
      );
    expect(await list({})).toEqual(['three', 'two', 'one']);
    expect(await list({ namespace: '/n' })).toEqual(['three', 'one']);
    expect(await list({ strategyId })).toEqual(['three', 'one']);
    expect(await list({ sourceEventId: sessions[0]!.eventId })).toEqual(['one']);
    expect(await list({ createdFrom: two.createdAt, createdTo: two.createdAt })).toEqual(['two']);
    expect(await list({ limit: 2 })).toEqual(['three', 'two']);
    expect(await list({ limit: 2, after: two.recordId })).toEqual(['one']);
    expect(await reader.list(randomUUID(), memoryId, { includeSuperseded: true, limit: 10 })).toEqual([]);
  });

  it('reinstates what a withdrawn record had superseded: the last stated record of each slot', async () => {
    const { tenantId, memoryId, save, current, all } = await given();
    const slot = (value: string) => ({ key: 'user|home', value });
    const newest = snapshot('in Hue', { slot: slot('hue') });
    const [first, second] = [
      snapshot('in Hanoi', { slot: slot('hanoi') }),
      snapshot('in Vinh', { slot: slot('vinh') }),
    ];
    await save(newest);
    for (const record of [first, second])
      await save({ ...record, supersededBy: newest.recordId, validTo: newest.statedAt });
    expect(await current()).toEqual(['in Hue']);
    const erased = await run((tx) => writer.withdraw(tx, tenantId, [newest.recordId]));
    expect(erased.withdrawn).toEqual([newest.recordId]);
    expect(textsOf(erased).sort()).toEqual(['in Hanoi', 'in Vinh']);
    expect(await current()).toEqual(['in Vinh']);
    expect(await all()).toHaveLength(2);
    expect(await reader.find(tenantId, memoryId, newest.recordId)).toBeNull();
  });

  it('reinstates a record beside one of its slot that was stated before it', async () => {
    const { tenantId, save, current } = await given();
    const homeOn = (city: string, day: number) => ({
      ...snapshot(city, { slot: { key: 'u|home', value: city } }),
      statedAt: new Date(Date.UTC(2026, 0, day)).toISOString(),
    });
    const [record, superseder, other] = [homeOn('hanoi', 10), homeOn('hue', 12), homeOn('vinh', 7)];
    await save(superseder);
    await save(other);
    await save({ ...record, supersededBy: superseder.recordId, validTo: superseder.statedAt });
    await run((tx) => writer.withdraw(tx, tenantId, [superseder.recordId]));
    expect((await current()).sort()).toEqual(['hanoi', 'vinh']);
  });

  it('reinstates the last of several records of the same time', async () => {
    const { tenantId, save, restingOn, current } = await given('a', 'b', 'c');
    const at = '2026-01-10T12:00:00.000Z';
    // The first one's id is the lowest, so the order of the ids is the wrong one.
    const ids = Array.from({ length: 3 }, () => randomUUID()).sort();
    const said = (city: string, n: number) =>
      snapshot(city, {
        recordId: ids[n]!,
        slot: { key: 'u|home', value: city },
        statedAt: at,
        sources: restingOn(n).map((source) => ({ ...source, sequence: n + 1 })),
      });
    const [first, second, third] = [said('hanoi', 0), said('hue', 1), said('vinh', 2)];
    const ended = { supersededBy: third.recordId, validTo: at };
    await save(third);
    await save({ ...first, ...ended });
    await save({ ...second, ...ended });
    await run((tx) => writer.withdraw(tx, tenantId, [third.recordId]));
    expect(await current()).toEqual(['hue']);
  });

  it('withdraws records that rest only on an erased event', async () => {
    const { tenantId, save, restingOn, sessions, all } = await given('a', 'b');
    await save(snapshot('on a', { sources: restingOn(0) }), 0);
    await save(snapshot('on both', { sources: restingOn(0, 1) }), 0);
    const erased = await run((tx) => writer.eraseEvent(tx, tenantId, sessions[0]!.eventId));
    expect(erased.withdrawn).toHaveLength(1);
    expect(await all()).toEqual(['on both']);
  });

  it('withdraws records whose statements are erased, although their context remains', async () => {
    const { tenantId, save, restingOn, sessions, all } = await given('a', 'b');
    const context = restingOn(1).map((source) => ({ ...source, context: true }));
    const record = snapshot('on a, asked in b', { sources: [...restingOn(0), ...context] });
    await save(record, 0);
    const saved = await run((tx) => writer.hold(tx, tenantId, sessions[0]!.memoryId, record.recordId));
    expect(saved?.sources.map(({ context: marked }) => marked ?? false).sort()).toEqual([false, true]);
    const erased = await run((tx) => writer.eraseEvent(tx, tenantId, sessions[0]!.eventId));
    expect(erased.withdrawn).toEqual([record.recordId]);
    expect(await all()).toEqual([]);
  });

  it('keeps records that another session confirmed', async () => {
    const { save, restingOn, sessions, all } = await given('a', 'b');
    const both = snapshot('on both', { sources: restingOn(0, 1) });
    await save(snapshot('on a', { sources: restingOn(0) }), 0);
    await save(both, 0);
    await save(snapshot('on b', { sources: restingOn(1) }), 1);
    const [a] = sessions;
    expect(await run((tx) => writer.namespacesOf(tx, a!, [a!.sessionKey]))).toEqual(['/n']);
    const erased = await run((tx) => writer.eraseSessions(tx, a!, [a!.sessionKey]));
    expect(textsOf(erased)).toEqual(['on both']);
    expect(erased.survivors[0]).toMatchObject({ recordId: both.recordId, sources: restingOn(1), actorId: 'ada' });
    expect((await all()).sort()).toEqual(['on b', 'on both']);
  });

  it('deletes records of an erased actor and removes the name from records that others confirm', async () => {
    const { tenantId, memoryId, save, restingOn, sessions, all } = await given('a', 'b');
    await database.rows(`update sessions set actor_id = 'eve' where session_key = $1`, [sessions[1]!.sessionKey]);
    await save(snapshot('stated by hand'));
    await save(snapshot('on ada', { sources: restingOn(0) }), 0);
    await save(snapshot('on both', { sources: restingOn(0, 1) }), 0);
    await save(snapshot('on eve', { sources: restingOn(1), actorId: 'eve' }), 1);
    const scope = { tenantId, memoryId, actorId: 'ada', sessionId: null };
    const erased = await run((tx) => writer.eraseSessions(tx, scope, [sessions[0]!.sessionKey]));
    expect(erased.withdrawn).toHaveLength(2);
    expect(erased.survivors.map(({ text, actorId }) => [text, actorId])).toEqual([['on both', null]]);
    expect((await all()).sort()).toEqual(['on both', 'on eve']);
  });

  it('deletes more records than one batch has, with their sources', async () => {
    const { tenantId, memoryId, sessions, restingOn } = await given('a');
    const [{ sessionKey, eventId }] = sessions as [(typeof sessions)[number]];
    const records = Array.from({ length: 501 }, (_, n) => snapshot(`parcel ${n}`, { sources: restingOn(0) }));
    await run((tx) => writer.save(tx, { tenantId, memoryId, eventId: randomUUID(), sessionKey }, records));
    const counts = () =>
      database.rows(
        `select (select count(*)::int from records where memory_id = $1) as records,
                (select count(*)::int from record_sources where event_id = $2) as sources`,
        [memoryId, eventId],
      );
    expect(await counts()).toEqual([{ records: 501, sources: 501 }]);
    const ids = records.map(({ recordId }) => recordId);
    await run((tx) => writer.remove(tx, tenantId, ids));
    expect(await counts()).toEqual([{ records: 0, sources: 0 }]);
  });

  it('erases more records than one batch has, and reinstates those that they had superseded, last stated first', async () => {
    const { tenantId, memoryId, sessions, restingOn, save } = await given('a', 'b');
    const [{ sessionKey }] = sessions as [(typeof sessions)[number]];
    const records = Array.from({ length: 450 }, (_, n) => snapshot(`parcel ${n}`, { sources: restingOn(0) }));
    const superseded = (text: string, by: number) => {
      const parts = { sources: restingOn(1), slot: { key: 'home', value: text } };
      return { ...snapshot(`Ada lives in ${text}`, parts), supersededBy: records[by]!.recordId };
    };
    // The record stated last is superseded by one of a later batch.
    const [hue, hanoi] = [superseded('Hue', 10), superseded('Hanoi', 440)];
    await save(hue, 1);
    await save(hanoi, 1);
    records[300] = { ...records[300]!, supersededBy: records[0]!.recordId };
    await run((tx) => writer.save(tx, { tenantId, memoryId, eventId: randomUUID(), sessionKey }, records));
    const scope = { tenantId, memoryId, actorId: 'ada', sessionId: 'a' };
    const erased = await run((tx) => writer.eraseSessions(tx, scope, [sessionKey]));
    expect(erased.withdrawn).toHaveLength(450);
    expect(new Set(erased.accounts).size).toBe(3);
    expect(erased.survivors.map(({ text, supersededBy }) => [text, supersededBy])).toEqual([
      ['Ada lives in Hue', hanoi.recordId],
      ['Ada lives in Hanoi', null],
    ]);
  });

  it('reads only the records that it looks up, whatever the size of the namespace', async () => {
    const { tenantId, memoryId } = await given();
    const origin = { tenantId, memoryId, eventId: randomUUID(), sessionKey: null };
    const records = Array.from({ length: 2_000 }, (_, n) =>
      snapshot(`parcel ${n}`, { slot: { key: `depot ${n}`, value: 'x' } }),
    );
    await run((tx) => writer.save(tx, origin, records));
    await database.rows('analyze records');
    const wanted = { factKeys: ['parcel 7', 'none'], slotKeys: ['depot 8'], recordIds: [records[9]!.recordId] };
    const found: string[][] = [];
    const known = await database.rowsReadBy('records', async (tx) => {
      found.push((await writer.known(tx, memoryId, '/n', wanted)).map(({ text }) => text));
    });
    const current = await database.rowsReadBy('records', async (tx) => {
      const ids = await writer.current(tx, { tenantId, memoryId, namespace: '/n' }, ['parcel 7', 'none']);
      found.push([...ids.keys()]);
    });
    expect(found).toEqual([['parcel 7', 'parcel 8', 'parcel 9'], ['parcel 7']]);
    expect(known).toBeLessThan(20);
    expect(current).toBeLessThan(20);
  });

  it('rejects a correction to a fact that its namespace already has', async () => {
    const { tenantId, memoryId, save } = await given();
    const [one, two] = [snapshot('I like tea'), snapshot('I like coffee')];
    await save(one);
    await save(two);
    const correct = (text: string) => run((tx) => writer.correct(tx, tenantId, two.recordId, text, two.updatedAt));
    await expect(correct('i like TEA!')).rejects.toThrow('states the same fact');
    await correct('I like water');
    expect((await reader.find(tenantId, memoryId, two.recordId))?.text).toBe('I like water');
  });
});
