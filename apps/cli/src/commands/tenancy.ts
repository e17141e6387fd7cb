import { userInfo } from 'node:os';
import { ManageKeys, ManageTenants, type KeyView, type MadeKey } from '@turnkeeper/application';
import { apiKeyPrefix, newApiKeyToken, systemIds } from '@turnkeeper/platform';
import { DatabaseClock, PgAuditLog, TypeOrmKeyStore, TypeOrmTenantStore, withDatabase } from '@turnkeeper/postgres';
import { print } from './console.js';

export interface Tenancy {
  readonly keys: ManageKeys;
  readonly tenants: ManageTenants;
  /**
   * Records a change in the audit log, under the operating system user.
   *
   * @param action the API operation's name
   */
  readonly audit: (tenantId: string, action: string, command: string) => Promise<void>;
}

/** Runs a command on tenants and keys. */
export const withTenancy = <T>(databaseUrl: string, work: (tenancy: Tenancy) => Promise<T>): Promise<T> =>
  withDatabase({ url: databaseUrl, poolSize: 2 }, async (dataSource) => {
    // Services check keys against the database clock.
    const clock = await DatabaseClock.start(dataSource);
    const tenants = new TypeOrmTenantStore(dataSource);
    const keys = new TypeOrmKeyStore(dataSource);
    const log = new PgAuditLog(dataSource);
    const made = { keyId: `cli:${userName()}`, address: '', status: 200 };
    return work({
      keys: new ManageKeys({ keys, tenants, clock, drawKey: newApiKeyToken }),
      tenants: new ManageTenants({ tenants, ids: systemIds, clock }),
      audit: (tenantId, action, command) =>
        log.add({ ...made, tenantId, action, resource: `turnkeeper ${command}`, requestId: systemIds.next() }),
    });
  });

/** A container's user can lack a name. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
};

/** Returns the tenant with that name; commands on existing keys do not create one. */
export const tenantNamed = async ({ tenants }: Tenancy, name: string) => {
  const found = await tenants.findByName(name);
  if (found !== null) return found;
  throw new Error(`There is no tenant called ${name}. Create it with: turnkeeper tenant create --tenant ${name}`);
};

export const printMadeKey = ({ key, token }: MadeKey, json: boolean): void => {
  const { tenantId, keyId } = key;
  print(json ? JSON.stringify({ tenantId, keyId, apiKey: token }) : `Tenant ${tenantId}\nAPI key ${token}`);
};

export const describeKey = ({ keyId, scopes, memoryId, actorId, description, ...life }: KeyView): string => {
  const { expiresAt, revokedAt, lastUsedAt } = life;
  return [
    `${apiKeyPrefix(keyId)}…`,
    revokedAt === null ? (expiresAt === null ? 'does not expire' : `until ${expiresAt}`) : `revoked ${revokedAt}`,
    lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`,
    scopes.join(','),
    ...(memoryId === null ? [] : [`memory ${memoryId}`]),
    ...(actorId === null ? [] : [`actor ${actorId}`]),
    description,
  ].join('  ');
};
