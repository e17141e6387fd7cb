import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadModelDatabase } from '../../testing/read-model-database.js';
import { ADMIT_EXTRACTIONS } from './admit-extractions.sql.js';
import { PgExtractionClaims } from './extraction-claims.js';
import { PgExtractionSchedule } from './extraction-schedule.js';

const BACKLOG = 100_000;
const PER_TENANT = 12;
const QUEUED_SECONDS = 5;
/** Maximum blocks read per admission: a few per admitted row, whatever the backlog. */
const MAX_BLOCKS = 1_000;

type Memory = Awaited<ReturnType<ReadModelDatabase['memory']>>;

describe('admission with one tenant that has 100,000 waiting sessions', () => {
  let database: ReadModelDatabase;
  let claims: PgExtractionClaims;
  let schedule: PgExtractionSchedule;
  let large: Memory;
  let small: Memory;

  beforeAll(async () => {
    database = await ReadModelDatabase.create();
    claims = new PgExtractionClaims(database.dataSource);
    schedule = new PgExtractionSchedule(database.dataSource);
    large = await database.memory();
    small = await database.memory();
    // All due long before those of the other tenant.
    await database.rows(
      `insert into extraction_states
         (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, newest_sequence, status, due_at)
       select n, $1, $2, $3, 'ada', 'thread ' || n, 10, 'waiting', now() - interval '1 hour' + n * interval '1 millisecond'
         from generate_series(1, ${BACKLOG}) n`,
      [large.strategyIds[0], large.tenantId, large.memoryId],
    );
    await database.rows('analyze extraction_states');
  });
  afterAll(() => database?.close());

  const arrive = async (sessionKey: number): Promise<void> => {
    await database.rows(
      `insert into extraction_states
         (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, newest_sequence, status, due_at)
       values ($4::bigint, $1, $2, $3, 'grace', 'thread', 2, 'waiting', now())`,
      [small.strategyIds[0], small.tenantId, small.memoryId, sessionKey],
    );
  };
  const admitted = async () => (await schedule.admit(PER_TENANT)).map(({ sessionKey }) => sessionKey);
  const finish = async (sessionKey: number, { strategyIds }: Memory): Promise<void> => {
    const timing = { turnInterval: 5, quietSeconds: 60 };
    const claim = await claims.claim(sessionKey, strategyIds[0]!, 30);
    const done = { toSequence: claim!.newestSequence, userTurns: 0, recordsMade: 0 };
    await database.unitOfWork.run((tx) => claims.complete(tx, claim!, done, timing));
  };

  it("admits the other tenant's single session in the first batch and in every later one", async () => {
    for (let round = 1; round <= 20; round += 1) {
      const mine = 1_000_000 + round;
      await arrive(mine);
      const given = await admitted();
      expect(given).toContain(mine);
      expect(given.length).toBeLessThanOrEqual(PER_TENANT + 1);
      await finish(mine, small);
      for (const key of given.filter((sessionKey) => sessionKey !== mine).slice(0, 5)) await finish(key, large);
    }
  });

  it('limits the backlog to its share at any time, oldest first', async () => {
    await database.rows(
      'update extraction_states set admitted_until = null, lease_until = null where admitted_until is not null',
    );
    const first = await admitted();
    expect(first).toHaveLength(PER_TENANT);
    expect(await admitted()).toEqual([]);
    await finish(first[0]!, large);
    expect(await admitted()).toEqual([Math.max(...first) + 1]);
  });

  it('costs the same whatever the backlog', async () => {
    await database.rows(
      'update extraction_states set admitted_until = null, lease_until = null where admitted_until is not null',
    );
    await arrive(2_000_000);
    const [row] = await database.rows<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${ADMIT_EXTRACTIONS.replace('$1', String(PER_TENANT)).replace('$2', String(QUEUED_SECONDS))}`,
    );

    const { Plan: plan } = row!['QUERY PLAN'][0];
    expect(plan['Actual Rows']).toBe(PER_TENANT + 1);
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(MAX_BLOCKS);
  });
});
