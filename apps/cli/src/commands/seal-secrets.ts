import { parseArgs } from 'node:util';
import { readSecretKeys } from '@turnkeeper/platform';
import { EnvelopeCipher, sealStoredSecrets, withDatabase } from '@turnkeeper/postgres';
import { print } from './console.js';

/** Exit code if some secrets could not be decrypted. */
const UNREADABLE = 3;

/**
 * Rewrites every secret as configured: encrypted with the newest key, or in plain text with SECRETS_AT_REST=plaintext.
 * Idempotent, and safe while the services run.
 */
export const sealSecrets = async (databaseUrl: string, args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const { keys, sealing } = readSecretKeys();
  await withDatabase({ url: databaseUrl, poolSize: 2 }, async (dataSource) => {
    const tables = await sealStoredSecrets(dataSource, new EnvelopeCipher({ keys, sealing }));
    if (values.json) print(JSON.stringify({ stored: sealing ? 'encrypted' : 'plaintext', tables }));
    else {
      const how = sealing ? 'encrypted' : 'written in plain text';
      for (const { table, rewritten, unchanged, unreadable, reason } of tables) {
        print(`${table}: ${rewritten} ${how}, ${unchanged} unchanged, ${unreadable} unreadable`);
        if (reason !== null) print(`  ${reason}`);
      }
    }
    if (tables.some(({ unreadable }) => unreadable > 0)) process.exitCode = UNREADABLE;
  });
};
