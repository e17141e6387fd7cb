import { parseArgs } from 'node:util';
import { actorId, APPLICATION_SCOPES, SCOPES, uuid, type Scope } from '@turnkeeper/contracts';
import { UsageError } from '../usage.js';
import { required, wholeNumber } from './console.js';
import { printMadeKey, tenantNamed, withTenancy } from './tenancy.js';

/** An id as accepted by the API. */
const parsed = (schema: typeof uuid | typeof actorId, value: string, option: string): string => {
  const result = schema.safeParse(value);
  if (!result.success) throw new UsageError(`${option} ${result.error.issues[0]?.message ?? 'is not valid'}.`);
  return result.data;
};

/** Creates an API key and prints it, once. An unknown tenant is an error, so that a typo creates none. */
export const createKey = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tenant: { type: 'string' },
      scopes: { type: 'string' },
      description: { type: 'string', default: '' },
      'expires-in-days': { type: 'string' },
      memory: { type: 'string' },
      actor: { type: 'string' },
      'create-tenant': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const name = required(values.tenant, '--tenant NAME');
  const scopes = values.scopes === undefined ? APPLICATION_SCOPES : values.scopes.split(',');
  const unknown = scopes.filter((scope) => !SCOPES.includes(scope as Scope));
  if (unknown.length > 0) throw new UsageError(`Unknown scopes: ${unknown.join(', ')}. Known: ${SCOPES.join(', ')}`);
  const days = values['expires-in-days'];
  const expiresInDays = days === 'never' ? null : wholeNumber(days, '--expires-in-days', 1, undefined);
  const memoryId = values.memory === undefined ? null : parsed(uuid, values.memory, '--memory ID');
  const actor = values.actor === undefined ? null : parsed(actorId, values.actor, '--actor ID');
  await withTenancy(databaseUrl, async (tenancy) => {
    const { tenantId } = values['create-tenant']
      ? await tenancy.tenants.ensure(name)
      : await tenantNamed(tenancy, name);
    const { description } = values;
    const made = await tenancy.keys.create(tenantId, { description, scopes, expiresInDays, memoryId, actorId: actor });
    printMadeKey(made, values.json);
    await tenancy.audit(tenantId, 'createKey', `key create ${made.key.keyId}`);
  });
};
