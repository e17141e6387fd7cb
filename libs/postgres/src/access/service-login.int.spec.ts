import { createTestDatabase, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrateDatabase } from '../migrate/migrate-database.js';
import { MissingGrants, prepareServiceLogin } from './service-login.js';

describe('the services login', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const query = async <R extends object>(url: string, text: string): Promise<R[]> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const prepare = (queueUrl?: string) =>
    prepareServiceLogin(database.url, {
      databaseUrl: database.serviceUrl,
      queueUrl,
      queueSchema: 'jobs',
      rowLevelSecurity: 'required',
    });

  it('is created without privileges of its own and may assume the row-level security roles', async () => {
    expect(await prepare()).toBe('created');
    expect(await prepare()).toBe('ready');
    await query(database.url, 'create table of_the_owner (a int)');
    const [rights] = await query(
      database.serviceUrl,
      `select rolsuper, rolcreatedb, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user`,
    );
    expect(Object.values(rights ?? {})).toEqual([false, false, false, false]);
    await expect(query(database.serviceUrl, 'select from of_the_owner')).rejects.toThrow(/permission denied/);
    await expect(query(database.serviceUrl, 'create schema own')).rejects.toThrow(/permission denied/);
    await expect(query(database.serviceUrl, 'set role turnkeeper_app')).resolves.toEqual([]);
    await expect(query(database.serviceUrl, 'set role turnkeeper_system')).resolves.toEqual([]);
  });

  it('is rejected with a different password', async () => {
    await prepare();
    const wrong = Object.assign(new URL(database.serviceUrl), { password: 'wrong' });
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  it('is created once when ten processes migrate concurrently', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => prepare()));
    expect(new Set(outcomes)).not.toContain('owner');
    await expect(query(database.serviceUrl, 'set role turnkeeper_app')).resolves.toEqual([]);
  });

  it('takes over the queue that an owner created in the same database', async () => {
    await query(database.adminUrl, 'create schema jobs; create table jobs.waiting (id bigserial, a int)');
    await query(
      database.adminUrl,
      `create type jobs.state as enum ('new'); create function jobs.one() returns int
      language sql as 'select 1'`,
    );
    await query(database.adminUrl, `grant ${new URL(database.url).username} to current_user`);
    const asAdmin = {
      databaseUrl: database.serviceUrl,
      queueUrl: database.serviceUrl,
      queueSchema: 'jobs',
      rowLevelSecurity: 'required',
    } as const;
    await prepareServiceLogin(database.adminUrl, asAdmin);
    await query(database.serviceUrl, 'create schema if not exists jobs');
    await query(
      database.serviceUrl,
      'alter table jobs.waiting add b jobs.state; insert into jobs.waiting (a) values (1)',
    );
    await query(database.serviceUrl, 'drop function jobs.one()');
    await prepareServiceLogin(database.adminUrl, asAdmin);
  });

  describe('that is the owner', () => {
    const owner = () => new URL(database.url).username;
    const prepareOwner = (rowLevelSecurity: 'required' | 'off' = 'required') =>
      prepareServiceLogin(database.url, { databaseUrl: database.url, queueSchema: 'jobs', rowLevelSecurity });
    const revoke = () => query(database.adminUrl, `revoke turnkeeper_app, turnkeeper_system from ${owner()} cascade`);

    it('may work as the roles that it created', async () => {
      // What a login without superuser rights gets on a role that it creates, since Postgres 16.
      await revoke();
      await query(
        database.adminUrl,
        `grant turnkeeper_app, turnkeeper_system to ${owner()} with admin true, inherit false, set false`,
      );
      await expect(query(database.url, 'set role turnkeeper_app')).rejects.toThrow(/permission denied to set role/);
      await migrateDatabase(database.url);
      expect(await prepareOwner()).toBe('owner');
      await expect(query(database.url, 'set role turnkeeper_app')).resolves.toEqual([]);
      await expect(query(database.url, 'set role turnkeeper_system')).resolves.toEqual([]);
    });

    it('is told what an administrator must grant', async () => {
      await revoke();
      await query(database.adminUrl, `alter role ${owner()} nocreaterole`);
      const error = await prepareOwner().catch((caught: unknown) => caught as MissingGrants);
      expect(error).toBeInstanceOf(MissingGrants);
      for (const statement of (error as MissingGrants).statements) await query(database.adminUrl, statement);
      expect(await prepareOwner()).toBe('owner');
    });

    it('needs no roles without row-level security', async () => {
      await revoke();
      expect(await prepareOwner('off')).toBe('owner');
    });
  });

  it('reports the statements for an administrator if the owner may not create it', async () => {
    await query(database.adminUrl, `alter role ${new URL(database.url).username} nocreaterole`);
    await expect(prepare()).rejects.toMatchObject({
      statements: [
        expect.stringMatching(/^create role "tk_\w+_service" login password/),
        expect.stringMatching(/^grant turnkeeper_app, turnkeeper_system to "tk_\w+_service";$/),
      ],
    });
  });

  it('is not what to change if the owner may not connect', async () => {
    const { pathname, username } = new URL(database.url);
    const [owner] = await query<{ name: string }>(
      database.adminUrl,
      `select datdba::regrole::text as name from pg_database where datname = current_database()`,
    );
    await query(database.adminUrl, `alter database ${pathname.slice(1)} owner to current_user`);
    await query(database.adminUrl, `revoke connect on database ${pathname.slice(1)} from public, ${username}`);
    try {
      await expect(prepare()).rejects.toThrow(/^permission denied for database/);
    } finally {
      await query(database.adminUrl, `alter database ${pathname.slice(1)} owner to ${owner!.name}`);
    }
  });
});
