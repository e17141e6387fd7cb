import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';
import { raw, sqlOf } from '../connections/sql.js';
import { ASSUME, ROLES, rolesOfLogin } from './database-roles.js';
import { withDatabase } from '../connections/with-database.js';
import { sqlStateOf } from '../connections/lasting-failure.js';

export interface ServiceLogin {
  /** URL of the services login, with user and password. */
  readonly databaseUrl: string;
  /** URL of the queue. If it has the same database and login, the login may create and own the queue schema. */
  readonly queueUrl?: string | undefined;
  /** Schema of the queue. */
  readonly queueSchema: string;
  /** As the services have it. Unless it is `required`, an owner that may not assume the roles is accepted. */
  readonly rowLevelSecurity: 'auto' | 'required' | 'off';
}

/** `owner`: services and migrations use the same login, which may assume the roles. */
export type LoginOutcome = 'created' | 'granted' | 'ready' | 'owner';

/** The tables are up to date, but the services cannot work yet: an administrator must run the statements first. */
export class MissingGrants extends Error {
  override readonly name = 'MissingGrants';

  constructor(
    readonly statements: readonly string[],
    options?: ErrorOptions,
  ) {
    super('This login may not create the roles of row-level security, or not let the services work as them.', options);
  }
}

/**
 * Allows the services login to assume the row-level security roles and nothing else: it owns no table. Creates a
 * missing login with the password of its URL; an existing login keeps its password. Idempotent.
 *
 * @param ownerUrl the login that runs migrations
 * @throws MissingGrants if this login lacks the privileges
 */
export const prepareServiceLogin = async (ownerUrl: string, login: ServiceLogin): Promise<LoginOutcome> => {
  const { username, password } = new URL(login.databaseUrl);
  const name = decodeURIComponent(username);
  const isOwner = name === '' || name === decodeURIComponent(new URL(ownerUrl).username);
  if (isOwner && login.rowLevelSecurity === 'off') return 'owner';
  return withDatabase({ url: ownerUrl, poolSize: 1 }, async (source) => {
    // Concurrent grants would fail. The lock belongs to the connection, and there is only one.
    await rowsOf(source, 'select pg_advisory_lock(1414877774, 2)');
    if (isOwner) {
      if ((await rolesOfLogin(source)) !== undefined || login.rowLevelSecurity !== 'required') return 'owner';
      const [owner] = await rowsOf<{ name: string }>(source, 'select current_user as name');
      throw new MissingGrants(await grantsFor(source, owner?.name ?? name));
    }
    // Only these statements: a failed connection has other reasons.
    return prepare(source, name, decodeURIComponent(password), login).catch(async (error: unknown) => {
      if (!MISSING_RIGHTS.includes(sqlStateOf(error) ?? '')) throw error;
      throw new MissingGrants(await grantsFor(source, name), { cause: error });
    });
  });
};

/** What an administrator must run so that `login` may assume the roles. */
const grantsFor = async (source: DataSource, login: string): Promise<readonly string[]> => {
  const missing = await sqlOf<{ name: string }>(source)`
    select name from unnest(${[ROLES.app, ROLES.system, ROLES.restricted, login]}::text[]) as name
      where not exists (select from pg_roles where rolname = name)`;
  const create = ({ name }: { readonly name: string }): string =>
    name === login
      ? `create role "${login}" login password '…';`
      : `create role ${name} nologin${name === ROLES.app ? ' noinherit' : ''};`;
  const isNew = missing.some(({ name }) => name !== login);
  return [
    ...missing.map(create),
    ...(isNew ? [`grant ${ROLES.restricted} to ${ROLES.app};`] : []),
    `grant ${ROLES.app}, ${ROLES.system} to "${login}";`,
  ];
};

const INSUFFICIENT_PRIVILEGE = '42501';
/** A row-level security role does not exist, because the owner may not create roles. */
const UNDEFINED_OBJECT = '42704';
const MISSING_RIGHTS = [INSUFFICIENT_PRIVILEGE, UNDEFINED_OBJECT];
/** Another process created it first; roles are server-wide. */
const ALREADY_THERE = ['42710', '23505'];

const prepare = async (
  source: DataSource,
  name: string,
  password: string,
  login: ServiceLogin,
): Promise<LoginOutcome> => {
  // Role statements take no parameters.
  const run = async (template: string, ...values: string[]): Promise<void> => {
    const places = values.map((_, index) => `$${index + 2}::text`).join(', ');
    const [made] = await rowsOf<{ text: string }>(source, `select format($1, ${places}) as text`, [
      template,
      ...values,
    ]);
    await rowsOf(source, made?.text ?? '');
  };
  const [found] = await sqlOf<{ member: boolean }>(source)`
    select bool_and(pg_has_role(login.oid, role.oid, ${raw(ASSUME)})) as member
       from pg_roles login cross join pg_roles role
      where login.rolname = ${name} and role.rolname = any(${[ROLES.app, ROLES.system]}) group by login.oid`;
  if (found === undefined) {
    await run('create role %I login nosuperuser nocreatedb nocreaterole password %L', name, verifierOf(password)).catch(
      (error: unknown) => {
        if (!ALREADY_THERE.includes(sqlStateOf(error) ?? '')) throw error;
      },
    );
  }
  if (found?.member !== true) await run(`grant ${ROLES.app}, ${ROLES.system} to %I`, name);
  const [database] = await rowsOf<{ name: string }>(source, 'select current_database() as name');
  await run('grant connect on database %I to %I', database?.name ?? '', name);
  if (isSamePlace(login)) await ownQueue(source, run, login.queueSchema, name, database?.name ?? '');
  return found === undefined ? 'created' : found.member ? 'ready' : 'granted';
};

const isSamePlace = ({ databaseUrl, queueUrl }: ServiceLogin): boolean => {
  if (queueUrl === undefined || !/^postgres(?:ql)?:/.test(queueUrl)) return false;
  const place = (url: string) => {
    const { username, host, pathname } = new URL(url);
    return [username, host, pathname].join(' ');
  };
  return place(queueUrl) === place(databaseUrl);
};

/** The queue creates and migrates its own tables. Transfers ownership of tables that an owner login created earlier. */
const ownQueue = async (
  source: DataSource,
  run: (template: string, ...values: string[]) => Promise<void>,
  schema: string,
  login: string,
  database: string,
): Promise<void> => {
  await run('grant create on database %I to %I', database, login);
  const objects = await rowsOf<{ kind: string; name: string }>(
    source,
    `select 'schema' as kind, format('%I', nspname) as name from pg_namespace
      where nspname = $1 and nspowner <> $2::text::regrole
     union all
     select 'table', c.oid::regclass::text from pg_class c
      where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p', 'v') and c.relowner <> $2::text::regrole
     union all
     select 'routine', p.oid::regprocedure::text from pg_proc p
      where p.pronamespace = to_regnamespace($1) and p.proowner <> $2::text::regrole
     union all
     select 'type', t.oid::regtype::text from pg_type t
      where t.typnamespace = to_regnamespace($1) and t.typtype in ('e', 'd') and t.typowner <> $2::text::regrole`,
    [schema, `"${login.replaceAll('"', '""')}"`],
  );
  for (const { kind, name } of objects) await run(`alter ${kind} ${name.replaceAll('%', '%%')} owner to %I`, login);
};

/** The password verifier stored by Postgres (RFC 5803). Keeps the password itself out of statements and server logs. */
const verifierOf = (password: string): string => {
  const ITERATIONS = 4_096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const parts = [`${ITERATIONS}:${salt.toString('base64')}`, `${stored}:${keyOf('Server Key').toString('base64')}`];
  return ['SCRAM-SHA-256', ...parts].join('$');
};
