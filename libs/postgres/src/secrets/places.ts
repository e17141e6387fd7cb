import type { WebhookSecret } from '@turnkeeper/domain';
import type { SecretCipher, SecretPlace } from './secret-cipher.js';

/**
 * Locations of all stored secrets. They are authenticated with the ciphertext: changing a location makes its values
 * undecryptable.
 */
export const placeOf = {
  endpoint: (endpointId: string): SecretPlace => ({ table: 'webhook_endpoints', rowId: endpointId, column: 'secrets' }),
  connector: (connectorId: string): SecretPlace => ({ table: 'connectors', rowId: connectorId, column: 'secrets' }),
  vendorApp: (tenantId: string, vendor: string, appId: string): SecretPlace => ({
    table: 'vendor_apps',
    rowId: `${tenantId}/${vendor}/${appId}`,
    column: 'secret',
  }),
  firstAnswer: (requestId: string): SecretPlace => ({
    table: 'idempotent_requests',
    rowId: requestId,
    column: 'answer',
  }),
  signingKey: (name: string): SecretPlace => ({ table: 'signing_keys', rowId: name, column: 'key' }),
};

const eachSecret = (
  secrets: readonly WebhookSecret[],
  change: (text: string) => Promise<string>,
): Promise<WebhookSecret[]> =>
  Promise.all(secrets.map(async (entry) => ({ ...entry, secret: await change(entry.secret) })));

export const sealAll = (cipher: SecretCipher, place: SecretPlace, secrets: readonly WebhookSecret[]) =>
  eachSecret(secrets, (text) => cipher.seal(text, place));

/** Rejects with `SecretUnreadable`. */
export const openAll = (cipher: SecretCipher, place: SecretPlace, secrets: readonly WebhookSecret[]) =>
  eachSecret(secrets, (text) => cipher.open(text, place));

/**
 * For lists, which show only the creation times of secrets. A secret that cannot be decrypted must not hide the others.
 */
export const withoutText = (secrets: readonly WebhookSecret[]): WebhookSecret[] =>
  secrets.map((entry) => ({ ...entry, secret: '' }));
