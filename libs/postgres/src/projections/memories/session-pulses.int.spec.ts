import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { PgRollingMemoryStore } from './rolling-memory-store.js';
import { PgSessionPulses } from './session-pulses.js';

let database: ReadModelDatabase;
beforeAll(async () => {
  database = await ReadModelDatabase.create();
});
afterAll(() => database?.close());

describe('pulses of sessions', () => {
  it('tell the newest sequence of each, and when its rolling memory may have changed', async () => {
    const pulses = new PgSessionPulses(database.dataSource);
    const owner = await database.memory({ strategies: [{ type: 'SUMMARY' }] });
    const [one, other] = [await database.session(owner, 'one'), await database.session(owner, 'other')];
    const stranger = { ...one, tenantId: randomUUID() };
    const unknown = { ...one, sessionId: 'unknown' };
    await database.say(one, 3);
    await database.say(other, 1);
    const read = () => pulses.of([other, stranger, one, unknown]);
    const first = await read();
    expect(first.map(({ sequence }) => sequence)).toEqual([1, 0, 3, 0]);

    const at = '2026-01-01T00:00:00.000Z';
    const store = new PgRollingMemoryStore(database.dataSource);
    await database.unitOfWork.run((tx) =>
      store.save(tx, one, { version: 1, facts: ['Swims.'], agedFacts: [], summary: '' }, at),
    );
    const captured = await read();
    const changed = (before: typeof first, after: typeof first) =>
      after.map(({ memory }, index) => memory !== before[index]!.memory);
    expect(changed(first, captured)).toEqual([false, false, true, false]);

    await database.rows(
      `insert into extraction_states (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, watermark)
       values ($1, $2, $3, $4, 'ada', 'other', 1)`,
      [other.sessionKey, owner.strategyIds[0], owner.tenantId, owner.memoryId],
    );
    expect(changed(captured, await read())).toEqual([true, false, false, false]);
  });
});
