import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testServers } from './servers.js';

export interface TestDatabase {
  readonly url: string;
  /** Drops the database. Close every pool on it first. */
  drop(): Promise<void>;
}

/** An empty database of its own for one spec file, on the shared test server. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const name = `tk_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`create database ${name}`));
  const url = new URL(testServers.database());
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(name) };
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

/** `pool.end()` resolves before the server lets go of its sockets, so a drop may have to wait for them. */
const dropDatabase = async (name: string): Promise<void> => {
  const OBJECT_IN_USE = '55006';
  for (let attempt = 1; ; attempt += 1) {
    try {
      await asAdmin((client) => client.query(`drop database if exists ${name}`));
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== OBJECT_IN_USE || attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
};
