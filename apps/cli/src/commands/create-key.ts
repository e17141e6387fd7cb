import { parseArgs } from 'node:util';
import { APPLICATION_SCOPES, SCOPES, type Scope } from '@turnkeeper/contracts';
import { UsageError } from '../usage.js';
import { printMadeKey, required, tenantNamed, wholeNumber, withTenancy } from './tenancy.js';

/** Creates an API key and prints it: the only time that it is shown. A misspelt tenant is an error, not a new tenant. */
export const createKey = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenant: { type: 'string' },
      scopes: { type: 'string' },
      description: { type: 'string', default: '' },
      'expires-in-days': { type: 'string' },
      'create-tenant': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const name = required(values.tenant, '--tenant NAME');
  const scopes = values.scopes === undefined ? APPLICATION_SCOPES : values.scopes.split(',');
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope as Scope));
  if (unknown.length > 0) throw new UsageError(`Unknown scopes: ${unknown.join(', ')}. Known: ${SCOPES.join(', ')}`);
  const expiresInDays = wholeNumber(values['expires-in-days'], '--expires-in-days', 1, null);
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = values['create-tenant']
      ? await tenancy.tenants.ensure(name)
      : await tenantNamed(tenancy, name);
    const made = await tenancy.keys.create(tenantId, { description: values.description, scopes, expiresInDays });
    printMadeKey(made, values.json);
    await tenancy.audit(tenantId, 'createKey', `key create ${made.key.keyId}`);
  });
};
