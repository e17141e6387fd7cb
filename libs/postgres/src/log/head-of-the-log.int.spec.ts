import { randomUUID } from 'node:crypto';
import type { AppendingTransaction, Appended, Ending, Settlement, StagedAppend } from '@turnkeeper/application';
import { createTestDatabase, eventually, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSource, rowsOf } from '../connections/database.js';
import { TypeOrmUnitOfWork } from '../connections/unit-of-work.js';

/** Advisory lock of the log head, as taken by `append_batch`. */
const HEAD = '1414877774, 0';

/** An append that only takes the lock. */
const log: StagedAppend = {
  stage: async () => undefined,
  statement: `select pg_advisory_xact_lock(${HEAD})::text as answer`,
  answersOf: () => [],
  repeatsOf: (_, error) => {
    throw error;
  },
};
const TENANT = '11111111-1111-4111-8111-111111111111';
const ENDING: Ending<readonly Appended[]> = { append: [{} as never], result: (appended) => appended };

describe('the head of the log', () => {
  let database: TestDatabase;
  let operator: pg.Client;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
    dataSource = createDataSource({ url: database.url, poolSize: 6 });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await operator?.end();
    await database?.drop();
  });

  /** Number of transactions of this database that wait for the head. */
  const waiting = async (): Promise<number> => {
    const { rows } = await operator.query<{ n: number }>(
      `select count(*)::int as n from pg_locks
        where locktype = 'advisory' and not granted and classid = 1414877774
          and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0]?.n ?? 0;
  };

  it('is awaited by one transaction per process at a time', async () => {
    const unitOfWork = new TypeOrmUnitOfWork(dataSource, log);
    await Promise.all(Array.from({ length: 5 }, () => rowsOf(dataSource, 'select pg_sleep(0.05)'))); // opens connections
    await operator.query(`select pg_advisory_lock(${HEAD})`);
    const started = performance.now();
    const held = Array.from({ length: 5 }, () => unitOfWork.appendFor(TENANT, async () => ENDING));
    try {
      await eventually(async () => (await waiting()) > 0, { withinMs: 60_000 });
      for (let soon = true; soon;) {
        const found = await waiting();
        // After this, a transaction that has waited for a second may run concurrently with the first.
        soon = performance.now() - started < 900;
        if (soon) expect(found).toBe(1);
      }
    } finally {
      await operator.query(`select pg_advisory_unlock(${HEAD})`);
    }
    expect(await Promise.all(held)).toHaveLength(5);
  });

  it('is not crowded by work that no tenant requested: one such transaction per process at a time', async () => {
    const unitOfWork = new TypeOrmUnitOfWork(dataSource, log);
    let [open, most] = [0, 0];
    const work = async (): Promise<typeof ENDING> => {
      most = Math.max(most, (open += 1));
      await rowsOf(dataSource, 'select pg_sleep(0.02)');
      open -= 1;
      return ENDING;
    };
    await Promise.all(Array.from({ length: 3 }, () => unitOfWork.append(work)));
    expect(most).toBe(1);
  });

  it('is left to callers between two transactions that no tenant requested', async () => {
    const order: string[] = [];
    const callers = {
      pauseAfter: async (): Promise<void> => void order.push('paused'),
    };
    const unitOfWork = new TypeOrmUnitOfWork(dataSource, log, callers);
    const work = async (): Promise<typeof ENDING> => {
      order.push('worked');
      return ENDING;
    };
    await Promise.all([
      unitOfWork.append(work),
      unitOfWork.append(work),
      unitOfWork.appendFor(TENANT, async () => ENDING),
    ]);
    expect(order).toEqual(['worked', 'paused', 'worked', 'paused']);
  });

  it('is reached by work that no tenant requested although other such work never ends', async () => {
    const unitOfWork = new TypeOrmUnitOfWork(dataSource, log);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const stuck = unitOfWork.append(async () => {
      await ended;
      return ENDING;
    });
    try {
      await unitOfWork.append(async () => ENDING);
    } finally {
      end();
    }
    await stuck;
  });

  it('is taken last: a transaction does nothing after sending its append', async () => {
    let kept: AppendingTransaction | undefined;
    await new TypeOrmUnitOfWork(dataSource, log).append(async (tx) => {
      kept = tx;
      await tx.recordedAt();
      return ENDING;
    });
    const { query } = kept as unknown as { query: (text: string) => Promise<unknown> };
    await expect(query.call(kept, 'select 1')).rejects.toThrow('no statement may follow its append');
  });

  it('is followed by settlements of known kinds only, never by SQL of a caller', async () => {
    const unitOfWork = new TypeOrmUnitOfWork(dataSource, log);
    const end = (settlement: Settlement) => unitOfWork.append(async () => ({ ...ENDING, settle: [settlement] }));
    // @ts-expect-error: a statement is not a settlement.
    await expect(end({ statement: 'select pg_sleep(1)' })).rejects.toThrow('Not a UUID');
    const eventId = randomUUID();
    const agentId = `${eventId}'; select pg_sleep(1) --`;
    await expect(end({ kind: 'agent', agentId, eventId })).rejects.toThrow('Not a UUID');
  });

  it('is released if the process or its network goes silent: every connection has these limits', async () => {
    const settings = await rowsOf<{ name: string; setting: string }>(
      dataSource,
      `select name, setting from pg_settings where name in ('idle_in_transaction_session_timeout', 'statement_timeout',
         'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout') order by name`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, Number(setting)]))).toMatchObject({
      idle_in_transaction_session_timeout: 2_000,
      statement_timeout: expect.any(Number),
      tcp_keepalives_idle: 5,
      tcp_keepalives_interval: 2,
      tcp_keepalives_count: 3,
      tcp_user_timeout: 10_000,
    });
    const { options } = dataSource.driver as unknown as { options: { extra: Record<string, number> } };
    expect(options.extra['query_timeout']).toBeGreaterThan(
      Number(settings.find(({ name }) => name === 'statement_timeout')?.setting),
    );
  });
});
