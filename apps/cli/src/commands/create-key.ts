import { parseArgs } from 'node:util';
import type { Ids } from '@turnkeeper/application';
import { newApiKeyToken } from '@turnkeeper/platform';
import { createDataSource, TypeOrmKeyStore } from '@turnkeeper/read-models';
import { UsageError } from '../usage.js';

const ALL_SCOPES = ['memory:read', 'memory:write', 'agents:read', 'agents:write', 'webhooks:admin', 'vendors:admin'];
const DAY_MS = 86_400_000;

/** Makes an API key and prints it: the only time that it is shown. */
export const createKey = async (databaseUrl: string, args: readonly string[], ids: Ids): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenant: { type: 'string' },
      scopes: { type: 'string' },
      description: { type: 'string', default: '' },
      'expires-in-days': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { tenant } = values;
  if (tenant === undefined || tenant === '') throw new UsageError('--tenant NAME is required.');
  const scopes = values.scopes === undefined ? ALL_SCOPES : values.scopes.split(',');
  const unknown = scopes.filter((scope) => !ALL_SCOPES.includes(scope));
  if (unknown.length > 0)
    throw new UsageError(`Unknown scopes: ${unknown.join(', ')}. Known: ${ALL_SCOPES.join(', ')}`);

  const dataSource = createDataSource({ url: databaseUrl, poolSize: 2 });
  await dataSource.initialize();
  try {
    const keys = new TypeOrmKeyStore(dataSource);
    const tenantId = await keys.ensureTenant(ids.next(), tenant);
    const { keyId, token, secretHash } = newApiKeyToken();
    await keys.insert({
      keyId,
      tenantId,
      description: values.description,
      secretHash,
      scopes,
      expiresAt: expiryOf(values['expires-in-days']),
      revokedAt: null,
    });
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ tenantId, keyId, apiKey: token })}\n`
        : `Tenant ${tenantId}\nAPI key ${token}\n`,
    );
  } finally {
    await dataSource.destroy();
  }
};

const expiryOf = (days: string | undefined): string | null => {
  if (days === undefined) return null;
  const count = Number(days);
  if (!Number.isInteger(count) || count < 1) throw new UsageError('--expires-in-days must be a whole number from 1.');
  return new Date(Date.now() + count * DAY_MS).toISOString();
};
