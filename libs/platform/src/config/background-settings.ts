import { z } from 'zod';
import { count, flag, ranges, secretsKey, secretsKeys } from './setting-kinds.js';
import { setting } from './define-settings.js';

/** Webhooks, retention, secrets and the intervals of background work. */
export const backgroundSettings = {
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: setting(
    flag(false),
    'Allow webhooks to loopback and private addresses. Cloud metadata addresses remain blocked. For development.',
  ),
  WEBHOOK_ALLOW_CIDRS: setting(
    ranges('must be address ranges such as 10.20.0.0/16, separated by commas'),
    'Address ranges that webhooks may go to beyond the public internet, e.g. 10.20.0.0/16,fd12::/48.',
  ),
  WEBHOOK_ALLOW_HTTP: setting(
    flag(false),
    'Allow webhooks to http:// addresses, whose content can be read in transit.',
  ),
  WEBHOOK_TIMEOUT_SECONDS: setting(count(15, 1, 60), 'Time limit for the response to one webhook.'),
  WEBHOOK_CONCURRENCY: setting(count(64, 1, 1_000), 'Maximum webhook deliveries that one worker starts concurrently.'),
  WEBHOOK_OPEN_ATTEMPTS: setting(
    count(1_000, 0, 20_000),
    'Maximum slow webhook attempts that one worker keeps open in the background after they have freed their slot.',
  ),
  WEBHOOK_ENDPOINT_CONCURRENCY: setting(
    count(16, 1, 1_000),
    'Maximum concurrent webhooks of one endpoint over all workers; one for an endpoint whose last attempt timed out.',
  ),
  WEBHOOK_ENDPOINTS_PER_TENANT: setting(
    count(20, 1, 1_000),
    'Maximum webhook endpoints of one tenant; stopping an agent creates at most two deliveries per endpoint.',
  ),
  WEBHOOK_INLINE_BYTES: setting(
    count(262_144, 1_024, 16_777_216),
    'Maximum size of a history that a webhook contains in full, in bytes; longer ones contain the newest part and a link to the full history.',
  ),
  WEBHOOK_BODY_DAYS: setting(
    count(30, 1, 3_650),
    'How long webhook bodies are kept for replay, or for as long as the memory keeps its events if that is less.',
  ),
  WEBHOOK_DELIVERY_DAYS: setting(
    count(90, 1, 3_650),
    'How long deliveries are listed with their attempts after their body was deleted; deliveries of histories are listed for as long as the agent.',
  ),
  PARKED_MESSAGE_DAYS: setting(
    count(30, 1, 3_650),
    'How long a parked message is kept after it was replayed or dropped, and how long dropped work is listed.',
  ),
  CONNECTOR_NOTICE_DAYS: setting(
    count(30, 1, 3_650),
    "How long vendors' callbacks that could not be processed are kept, and how long repeats of the others are recognised.",
  ),
  HISTORY_LINK_DAYS: setting(count(30, 1, 365), 'How long a link to a full history is valid.'),
  TOMBSTONE_DAYS: setting(
    count(30, 1, 3_650),
    'How long a deleted event has its own tombstone and an erased session its entry; after that, adjacent tombstones are merged into ranges.',
  ),
  BACKUP_DAYS: setting(
    count(0, 0, 36_500),
    'How long you keep backups and archived WAL, in days. Erasure receipts state the date derived from it; 0: they do not mention backups.',
  ),
  HISTORY_LINK_SECRET: setting(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'Key that signs links to histories. Unset: a key created with the database. Changing it invalidates all links.',
    { secret: true },
  ),
  SECRETS_KEY: setting(
    secretsKey().optional(),
    'Key that encrypts stored secrets (of webhooks, connectors and vendor apps, and signing keys): 32 bytes in base64, e.g. from `openssl rand -base64 32`. Required, unless SECRETS_KEY_FILE is set. Back it up separately from the database: without it those secrets are lost.',
    { secret: true },
  ),
  SECRETS_KEY_FILE: setting(
    z.string().min(1).optional(),
    'File with that key in its first line, if SECRETS_KEY is not set; older keys may follow, one per line.',
    { example: '/run/secrets/turnkeeper-key' },
  ),
  SECRETS_OLD_KEYS: setting(secretsKeys().optional(), 'Earlier keys, separated by commas, for decryption only.', {
    secret: true,
  }),
  SECRETS_AT_REST: setting(
    z.enum(['encrypted', 'plaintext']).default('encrypted'),
    'How secrets are stored. encrypted: refuse to start without a key; plaintext: unencrypted; values that are already encrypted can still be read with their key.',
  ),
  PURGE_INTERVAL_SECONDS: setting(
    count(10, 1, 86_400),
    'How often the worker deletes expired events and the data of deleted memories, in seconds.',
  ),
  SWEEP_INTERVAL_MS: setting(
    count(1_000, 50, 60_000),
    'How often the worker enqueues work that is due in Postgres, in milliseconds.',
  ),
  FOLLOWER_LAG_SECONDS: setting(
    count(30, 1, 86_400),
    'How long the relay, the dispatcher or an index may be behind the log. After that, /status lists it as behind, and background work pauses between its writes until it has caught up.',
  ),
} as const;
