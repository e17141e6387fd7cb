import type { WebhookSecret } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';
import { openAll, placeOf, sealAll } from './places.js';
import { SecretUnreadable, type SecretCipher, type SecretPlace } from './secret-cipher.js';

/** Row counts of one table. */
export interface SealedCounts {
  readonly table: string;
  /** Rewritten by this run in the configured form. */
  readonly rewritten: number;
  /** Already in that form, or without a secret. */
  readonly unchanged: number;
  /** Left unchanged: no configured key decrypts them. */
  readonly unreadable: number;
  /** Why the first unreadable row could not be decrypted. */
  readonly reason: string | null;
}

interface SecretTable {
  readonly table: string;
  readonly column: string;
  readonly key: readonly string[];
  readonly place: (key: readonly string[]) => SecretPlace;
}

const TABLES: readonly SecretTable[] = [
  { table: 'webhook_endpoints', column: 'secrets', key: ['endpoint_id'], place: ([id = '']) => placeOf.endpoint(id) },
  { table: 'connectors', column: 'secrets', key: ['connector_id'], place: ([id = '']) => placeOf.connector(id) },
  {
    table: 'vendor_apps',
    column: 'secret',
    key: ['tenant_id', 'vendor', 'app_id'],
    place: ([tenantId = '', vendor = '', appId = '']) => placeOf.vendorApp(tenantId, vendor, appId),
  },
  {
    table: 'idempotent_requests',
    column: 'answer',
    key: ['request_id'],
    place: ([id = '']) => placeOf.firstAnswer(id),
  },
  { table: 'signing_keys', column: 'key', key: ['name'], place: ([name = '']) => placeOf.signingKey(name) },
];

type Stored = string | readonly WebhookSecret[] | null;

const rewritten = async (cipher: SecretCipher, place: SecretPlace, stored: Stored): Promise<string | null> => {
  if (stored === null) return null;
  if (typeof stored === 'string') {
    return cipher.isCurrent(stored) ? null : cipher.seal(await cipher.open(stored, place), place);
  }
  if (stored.every(({ secret }) => cipher.isCurrent(secret))) return null;
  return JSON.stringify(await sealAll(cipher, place, await openAll(cipher, place, stored)));
};

/**
 * Rewrites every secret in the form the cipher writes: encrypted under the newest key, or plain text. Idempotent, and
 * safe while services run: each row is locked only for its own update.
 */
export const sealStoredSecrets = async (
  dataSource: DataSource,
  cipher: SecretCipher,
): Promise<readonly SealedCounts[]> => {
  const counts: SealedCounts[] = [];
  for (const table of TABLES) counts.push(await sealTable(dataSource, cipher, table));
  return counts;
};

const sealTable = async (
  dataSource: DataSource,
  cipher: SecretCipher,
  { table, column, key, place }: SecretTable,
): Promise<SealedCounts> => {
  const found = { rewritten: 0, unchanged: 0, unreadable: 0 };
  let reason: string | null = null;
  const where = key.map((name, index) => `${name} = $${index + 1}`).join(' and ');
  const keys = await rowsOf<{ key: string[] }>(
    dataSource,
    `select array[${key.map((name) => `${name}::text`).join(', ')}] as key from ${table} order by ${key.join(', ')}`,
  );
  for (const row of keys) {
    try {
      const outcome = await dataSource.transaction(async (manager) => {
        const [locked] = await rowsOf<{ stored: Stored }>(
          manager,
          `select ${column} as stored from ${table} where ${where} for update`,
          row.key,
        );
        const text = await rewritten(cipher, place(row.key), locked?.stored ?? null);
        if (text === null) return 'unchanged';
        await rowsOf(manager, `update ${table} set ${column} = $${key.length + 1} where ${where}`, [...row.key, text]);
        return 'rewritten';
      });
      found[outcome] += 1;
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      found.unreadable += 1;
      reason ??= error.message;
    }
  }
  return { table, ...found, reason };
};
