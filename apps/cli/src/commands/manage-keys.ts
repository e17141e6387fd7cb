import { parseArgs } from 'node:util';
import { LIMIT_NAMES, type LimitName } from '@turnkeeper/domain';
import { apiKeyPrefix } from '@turnkeeper/platform';
import { UsageError } from '../usage.js';
import { printLines } from './server.js';
import { print, required, wholeNumber } from './console.js';
import { describeKey, printMadeKey, tenantNamed, withTenancy } from './tenancy.js';

const options = {
  tenant: { type: 'string' },
  key: { type: 'string' },
  'overlap-hours': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Lists the keys of a tenant, expired and revoked ones included. */
export const listKeys = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options });
  const name = required(values.tenant, '--tenant NAME');
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = await tenantNamed(tenancy, name);
    const keys = await tenancy.keys.list(tenantId);
    print(
      values.json
        ? JSON.stringify(keys.map((key) => ({ ...key, prefix: apiKeyPrefix(key.keyId) })))
        : keys.map(describeKey).join('\n'),
    );
  });
};

/** Creates a key that replaces another one, which stays valid for the overlap. */
export const rotateKey = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options });
  const name = required(values.tenant, '--tenant NAME');
  const keyId = required(values.key, '--key ID');
  const hours = wholeNumber(values['overlap-hours'], '--overlap-hours', 0, 24);
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = await tenantNamed(tenancy, name);
    printMadeKey(await tenancy.keys.rotate(tenantId, keyId, hours), values.json);
    await tenancy.audit(tenantId, 'rotateKey', `key rotate ${keyId}`);
  });
};

/** Revokes a key immediately. */
export const revokeKey = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options });
  const name = required(values.tenant, '--tenant NAME');
  const keyId = required(values.key, '--key ID');
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = await tenantNamed(tenancy, name);
    await tenancy.keys.revoke(tenantId, keyId);
    await tenancy.audit(tenantId, 'revokeKey', `key revoke ${keyId}`);
    print(`Key ${keyId} is revoked.`);
  });
};

const TENANTS_AT_ONCE = 500;

/** Lists the tenants. */
export const listTenants = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  await withTenancy(databaseUrl, async ({ tenants }) => {
    for (let after: string | undefined; ;) {
      const page = await tenants.list({ limit: TENANTS_AT_ONCE, after });
      await printLines(page, values.json, ({ tenantId, name }) => `${tenantId}  ${name}`);
      if (page.length < TENANTS_AT_ONCE) return;
      after = page.at(-1)?.name;
    }
  });
};

/** Creates a tenant; an existing name is an error. */
export const createTenant = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: { tenant: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const name = required(values.tenant, '--tenant NAME');
  await withTenancy(databaseUrl, async ({ tenants, audit }) => {
    const tenant = await tenants.create(name, null);
    await audit(tenant.tenantId, 'createTenant', 'tenant create');
    print(values.json ? JSON.stringify(tenant) : `Tenant ${tenant.tenantId}`);
  });
};

/** `memories=100` or `memories=default`, as a command line option. */
const limitChange = (text: string): readonly [LimitName, number | null] => {
  const [name = '', value = '', ...rest] = text.split('=');
  const known = LIMIT_NAMES.find((each) => each === name);
  if (known === undefined || rest.length > 0) {
    throw new UsageError(`--set takes NAME=N or NAME=default, and NAME is one of ${LIMIT_NAMES.join(', ')}.`);
  }
  if (value === 'default') return [known, null];
  const least = known === 'bytesPerSecond' ? 1_024 : known.startsWith('requests') ? 1 : 0;
  return [known, wholeNumber(value === '' ? 'none' : value, `--set ${known}=N`, least, null)];
};

/** Sets a tenant's own limits. Without any, the installation's limits apply again. */
export const limitTenant = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenant: { type: 'string' },
      'requests-per-second': { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  });
  const name = required(values.tenant, '--tenant NAME');
  const rate = wholeNumber(values['requests-per-second'], '--requests-per-second', 1, null);
  const given = [...(rate === null ? [] : [['requestsPerSecond', rate] as const]), ...values.set.map(limitChange)];
  const changes = given.length > 0 ? given : LIMIT_NAMES.map((limit) => [limit, null] as const);
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = await tenantNamed(tenancy, name);
    const { requestsPerSecond, limits } = await tenancy.tenants.limit(tenantId, Object.fromEntries(changes));
    await tenancy.audit(tenantId, 'changeTenant', 'tenant limit');
    const own = { ...(requestsPerSecond === null ? {} : { requestsPerSecond }), ...limits };
    const lines = Object.entries(own).map(([limit, most]) => `${limit} ${most}`);
    if (values.json) print(JSON.stringify({ tenantId, limits: own }));
    else print(lines.length === 0 ? `${name} has the installation's limits.` : `${name}: ${lines.join(', ')}`);
  });
};
