import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';
import { isSealed } from '../secrets/envelope-cipher.js';
import { placeOf } from '../secrets/places.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { sqlOf } from '../connections/sql.js';

/**
 * The given key, or else the installation's generated key, which is read on first use.
 *
 * @param given from a setting; undefined if not set
 */
export const signingKey = (
  dataSource: DataSource,
  cipher: SecretCipher,
  name: 'history_links' | 'erasure_receipts',
  given: string | undefined,
): (() => Promise<string>) => {
  let known: Promise<string> | null = given === undefined ? null : Promise.resolve(given);
  const read = async (): Promise<string> => {
    const [row] = await rowsOf<{ key: string }>(dataSource, 'select key from signing_keys where name = $1', [name]);
    if (row === undefined) throw new Error(`The signing key ${name} does not exist: run the migrations.`);
    return cipher.open(row.key, placeOf.signingKey(name));
  };
  return () => {
    known ??= read().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
};

/**
 * Decrypts every signing key and encrypts those that a migration created as plain text. Services run this before they
 * accept traffic: a process with a wrong key fails here, before it parks the deliveries of all tenants.
 *
 * Keys encrypted under an older key are left unchanged: a process without the newest key may still be running.
 */
export const settleSigningKeys = async (dataSource: DataSource, cipher: SecretCipher): Promise<void> => {
  const rows = await rowsOf<{ name: string; key: string }>(dataSource, 'select name, key from signing_keys');
  for (const { name, key } of rows) {
    const place = placeOf.signingKey(name);
    const plain = await cipher.open(key, place);
    if (isSealed(key) || cipher.isCurrent(key)) continue;
    await sqlOf(dataSource)`
      update signing_keys set key = ${await cipher.seal(plain, place)} where name = ${name} and key = ${key}`;
  }
};
