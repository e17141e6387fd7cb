import type { SecretCipher } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../database.js';
import { isSealed } from '../secrets/envelope-cipher.js';
import { placeOf } from '../secrets/places.js';

/**
 * The given key, or else the one that the installation made for itself, read when it is first asked for.
 *
 * @param given from a setting; undefined where there is none
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
    if (row === undefined) throw new Error(`The signing key ${name} is not there: run the migrations.`);
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
 * Opens every signing key, and seals those that a migration has made in plain text. Services do it before they serve: a
 * process with a wrong key stops here, before it sets aside the deliveries of all tenants.
 *
 * Keys sealed under an older key stay as they are: a process that has not got the newest key yet may run beside this one.
 */
export const settleSigningKeys = async (dataSource: DataSource, cipher: SecretCipher): Promise<void> => {
  const rows = await rowsOf<{ name: string; key: string }>(dataSource, 'select name, key from signing_keys');
  for (const { name, key } of rows) {
    const place = placeOf.signingKey(name);
    const plain = await cipher.open(key, place);
    if (isSealed(key) || cipher.isCurrent(key)) continue;
    await rowsOf(dataSource, 'update signing_keys set key = $3 where name = $1 and key = $2', [
      ...[name, key, await cipher.seal(plain, place)],
    ]);
  }
};
