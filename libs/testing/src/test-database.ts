import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testServers } from './servers.js';
import { templateOf, type Fill } from './template-database.js';

export interface TestDatabase {
  /** As the owner: a separate login, not a superuser. */
  readonly url: string;
  /** As the services login, which `migrate` creates. It is dropped with the database. */
  readonly serviceUrl: string;
  /** As the server's superuser. */
  readonly adminUrl: string;
  /** What `fill` returned about the template. */
  readonly note: string | null;
  /**
   * Drops the database. Close every pool on it first: remaining connections are reported and fail the test.
   *
   * @param options.inUse true: remaining connections are expected and terminated
   */
  drop(options?: { readonly inUse?: boolean }): Promise<void>;
}

/**
 * Creates a database for one spec file on the shared test server.
 *
 * @param fill default: the database is empty, and its services login is yet to be created. Otherwise it is a copy of a
 *   template that `fill` filled, because migrating costs more than many a spec
 */
export const createTestDatabase = async (fill?: Fill): Promise<TestDatabase> => {
  const name = `tk_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  const template = await asAdmin(async (client) => {
    for (const role of SHARED_ROLES) await client.query(CREATE_ROLE(role));
    await client.query(JOIN_ROLES);
    await createOwner(client, name, password);
    const found = fill === undefined ? null : await templateOf(client, fill, createOwner);
    await client.query(`create database ${name} owner ${name} template ${found?.name ?? 'template1'}`);
    return found;
  });
  const urlAs = (username?: string): string => {
    const url = new URL(testServers.database());
    url.pathname = `/${name}`;
    if (username !== undefined) Object.assign(url, { username, password });
    return url.href;
  };
  if (template !== null) await asAdmin(takeOver(template.owner, name, password), urlAs());
  return {
    url: urlAs(name),
    serviceUrl: urlAs(serviceOf(name)),
    adminUrl: urlAs(),
    note: template?.note ?? null,
    drop: ({ inUse = false } = {}) => dropDatabase(name, inUse),
  };
};

const serviceOf = (name: string): string => `${name}_service`;
/** Row-level security roles are server-wide: all test databases share them. */
const SHARED_ROLES = ['turnkeeper_app', 'turnkeeper_restricted', 'turnkeeper_system'];
const CREATE_ROLE = (role: string): string => `do $$ begin
  create role ${role} nologin;
exception when duplicate_object or unique_violation then null;
end $$`;

/** As `migrate` does. Granted by a database's own role, it would keep that role from being dropped. */
const JOIN_ROLES = `do $$ begin
  if not pg_has_role('turnkeeper_app', 'turnkeeper_restricted', 'member') then
    alter role turnkeeper_app noinherit;
    grant turnkeeper_restricted to turnkeeper_app;
  end if;
exception when unique_violation or internal_error then null;
end $$`;

const createOwner = async (client: pg.Client, name: string, password: string): Promise<void> => {
  await client.query(`create role ${name} login nosuperuser nocreatedb createrole password '${password}'`);
  await client.query(`grant ${SHARED_ROLES.join(', ')} to ${name} with admin option`);
  // To view and terminate sessions of other logins.
  await client.query(`grant pg_monitor, pg_signal_backend to ${name}`);
};

/** Makes a copy the owner's, and creates the services login as `migrate` does. */
const takeOver = (from: string, owner: string, password: string) => async (client: pg.Client) => {
  const service = serviceOf(owner);
  await client.query(`reassign owned by ${from} to ${owner};
    create role ${service} login password '${password}';
    grant turnkeeper_app, turnkeeper_system to ${service};
    grant create on database ${owner} to ${service}`);
};

const asAdmin = async <T>(work: (client: pg.Client) => Promise<T>, url = testServers.database()): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** `pool.end()` resolves before the server releases its sockets. Postgres itself waits five seconds for them. */
const dropDatabase = (name: string, inUse: boolean): Promise<void> =>
  asAdmin(async (client) => {
    const OBJECT_IN_USE = '55006';
    const drop = async (how: string) => {
      await client.query(`drop database if exists ${name} ${how}`);
      for (const role of [serviceOf(name), name]) await client.query(`drop role if exists ${role}`);
    };
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
