import { createTestDatabase, eventually, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSource, inTenant, rowsOf } from './database.js';
import { TypeOrmUnitOfWork } from './unit-of-work.js';

const TENANT = '11111111-1111-4111-8111-111111111111';

describe('a connection lost between two statements', () => {
  let database: TestDatabase;
  let operator: pg.Client;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
    const { rows } = await operator.query<{ login: string }>('select current_user as login');
    const { login } = rows[0]!;
    dataSource = createDataSource({ url: database.url, poolSize: 2, roles: { app: login, system: login } });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await operator?.end();
    await database?.drop();
  });

  const OWN_PID = 'select pg_backend_pid() as pid';
  /** Terminates the connection as an administrator would. Resolves when the server has dropped it. */
  const terminate = async ([row]: readonly unknown[]): Promise<void> => {
    const { pid } = row as { pid: number };
    await operator.query('select pg_terminate_backend($1)', [pid]);
    const left = async () => (await operator.query('select from pg_stat_activity where pid = $1', [pid])).rowCount;
    await eventually(async () => (await left()) === 0, { withinMs: 60_000 });
    // The server's final message is in the socket buffer by then; one turn of the event loop reads it.
    await operator.query('select 1');
    await new Promise(setImmediate);
  };

  it('in a transaction is reported with the cause of the loss', async () => {
    const work = new TypeOrmUnitOfWork(dataSource).run(async (tx) => {
      const { query } = tx as unknown as { query: (text: string) => Promise<unknown[]> };
      const run = query.bind(tx);
      await terminate(await run(OWN_PID));
      await run('select 1');
    });
    await expect(work).rejects.toMatchObject({ code: '57P01' });
  });

  it('in work for one tenant is reported with the cause of the loss', async () => {
    const work = inTenant(dataSource, TENANT, async (manager) => {
      await terminate(await rowsOf(manager, OWN_PID));
      await rowsOf(manager, 'select 1');
    });
    await expect(work).rejects.toMatchObject({ code: '57P01' });
  });

  it('is replaced for the next work', async () => {
    expect(await inTenant(dataSource, TENANT, (manager) => rowsOf(manager, 'select 1 as one'))).toEqual([{ one: 1 }]);
  });
});
