import type { DataSource } from 'typeorm';
import { type DatabaseRoles } from '../connections/database.js';
import { raw, sqlOf } from '../connections/sql.js';
import { withDatabase } from '../connections/with-database.js';

/** Created by the migrations (`secure_tables`). */
export const ROLES = {
  app: 'turnkeeper_app',
  restricted: 'turnkeeper_restricted',
  system: 'turnkeeper_system',
} as const satisfies DatabaseRoles;

/** The privilege of working as a role: since Postgres 16, a member may lack it. */
export const ASSUME = `case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end`;

/**
 * The roles for row-level security, or undefined if they do not exist or this login may not assume them. Without them,
 * only the tenant predicate of every query isolates tenants.
 *
 * @param mode `required`: rejects instead of returning undefined; `off`: skips the check
 */
export const databaseRoles = async (
  url: string,
  mode: 'auto' | 'required' | 'off',
): Promise<DatabaseRoles | undefined> => {
  const roles = mode === 'off' ? undefined : await findRoles(url);
  if (roles === undefined && mode === 'required') {
    throw new Error(
      `Row-level security is required, but this login may not work as ${ROLES.app} and ${ROLES.system}: ` +
        'run `migrate` with a login that may create roles, and grant both to this one; or set ROW_LEVEL_SECURITY=off, and ' +
        "every query's own tenant predicate is all that keeps tenants apart.",
    );
  }
  return roles;
};

const findRoles = (url: string): Promise<DatabaseRoles | undefined> => withDatabase({ url, poolSize: 1 }, rolesOfLogin);

/** Those of the login that is connected; undefined if it may not work as both that every service needs. */
export const rolesOfLogin = async (source: DataSource): Promise<DatabaseRoles | undefined> => {
  const rows = await sqlOf<{ name: string }>(source)`
    select rolname as name from pg_roles where rolname = any(${Object.values(ROLES)})
      and pg_has_role(current_user, oid, ${raw(ASSUME)})`;
  const { app, system, restricted } = ROLES;
  const has = (role: string): boolean => rows.some(({ name }) => name === role);
  if (!has(app) || !has(system)) return undefined;
  return { app, system, restricted: has(restricted) ? restricted : undefined };
};
