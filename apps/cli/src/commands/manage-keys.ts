import { parseArgs } from 'node:util';
import { describeKey, print, printMadeKey, required, tenantNamed, wholeNumber, withTenancy } from './tenancy.js';

const options = {
  tenant: { type: 'string' },
  key: { type: 'string' },
  'overlap-hours': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Shows the keys of a tenant, ended ones included. */
export const listKeys = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options });
  const name = required(values.tenant, '--tenant NAME');
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = await tenantNamed(tenancy, name);
    const keys = await tenancy.keys.list(tenantId);
    print(values.json ? JSON.stringify(keys) : keys.map(describeKey).join('\n'));
  });
};

/** Makes a key in the place of another one, which goes on for the overlap. */
export const rotateKey = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options });
  const name = required(values.tenant, '--tenant NAME');
  const keyId = required(values.key, '--key ID');
  const hours = wholeNumber(values['overlap-hours'], '--overlap-hours', 0, 24);
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = await tenantNamed(tenancy, name);
    printMadeKey(await tenancy.keys.rotate(tenantId, keyId, hours), values.json);
  });
};

/** Ends a key now. */
export const revokeKey = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options });
  const name = required(values.tenant, '--tenant NAME');
  const keyId = required(values.key, '--key ID');
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = await tenantNamed(tenancy, name);
    await tenancy.keys.revoke(tenantId, keyId);
    print(`Key ${keyId} is revoked.`);
  });
};

/** Creates a tenant; one of that name that exists already is an error. */
export const createTenant = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { tenant: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const name = required(values.tenant, '--tenant NAME');
  await withTenancy(databaseUrl, async ({ tenants }) => {
    const tenant = await tenants.create(name, null);
    print(values.json ? JSON.stringify(tenant) : `Tenant ${tenant.tenantId}`);
  });
};

/** Sets how many requests per second a tenant may make; without a number, the installation's own limit holds. */
export const limitTenant = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { tenant: { type: 'string' }, 'requests-per-second': { type: 'string' } },
  });
  const name = required(values.tenant, '--tenant NAME');
  const limit = wholeNumber(values['requests-per-second'], '--requests-per-second', 1, null);
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = await tenantNamed(tenancy, name);
    await tenancy.tenants.limit(tenantId, limit);
    print(limit === null ? `${name} has the installation's limit.` : `${name} may make ${limit} requests per second.`);
  });
};
