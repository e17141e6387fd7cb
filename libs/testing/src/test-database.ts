import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testServers } from './servers.js';

export interface TestDatabase {
  readonly url: string;
  /**
   * Drops the database. Close every pool on it first: who still holds a connection is named, and the test fails.
   *
   * @param options.inUse such connections are expected, and cut
   */
  drop(options?: { readonly inUse?: boolean }): Promise<void>;
}

/** An empty database of its own for one spec file, on the shared test server. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const name = `tk_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`create database ${name}`));
  const url = new URL(testServers.database());
  url.pathname = `/${name}`;
  return { url: url.href, drop: ({ inUse = false } = {}) => dropDatabase(name, inUse) };
};

const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: testServers.database() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** `pool.end()` resolves before the server lets go of its sockets: Postgres itself waits five seconds for them. */
const dropDatabase = (name: string, inUse: boolean): Promise<void> =>
  asAdmin(async (client) => {
    const OBJECT_IN_USE = '55006';
    const drop = (how: string) => client.query(`drop database if exists ${name} ${how}`);
    if (inUse) return void (await drop('with (force)'));
    try {
      await drop('');
    } catch (error) {
      if ((error as { code?: string }).code !== OBJECT_IN_USE) throw error;
      const { rows } = await client.query(
        'select application_name, state, left(query, 200) as query from pg_stat_activity where datname = $1',
        [name],
      );
      await drop('with (force)');
      throw new Error(`Connections to the test's database were left open: ${JSON.stringify(rows)}`, { cause: error });
    }
  });
