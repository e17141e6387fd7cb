import type { Embedders, HistoryLinks, SecretCipher, WebhookRules, WebhookTransport } from '@turnkeeper/application';
import {
  createDataSource,
  createEventStore,
  DatabaseClock,
  databaseRoles,
  EnvelopeCipher,
  observeUnknownEvents,
  poolsOf,
  settleSigningKeys,
  signingKey,
} from '@turnkeeper/postgres';
import { openEmbedders } from '@turnkeeper/extraction/embeddings';
import type { Logger, Metrics, Settings } from '@turnkeeper/platform';
import { batchMetrics, headMetrics, poolMetrics, requireDurableCommits, secretKeysOf } from '@turnkeeper/platform';
import { createHistoryLinks, createWebhookRules, createWebhookTransport } from '@turnkeeper/webhooks';
import { openRelay, type RelayResources } from './relay.js';

export interface IngestResources extends RelayResources {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly dataSource: ReturnType<typeof createDataSource>;
  /** The database clock: due times and timestamps of all processes use it. */
  readonly clock: DatabaseClock;
  /** Encrypts secrets before they are stored. */
  readonly cipher: SecretCipher;
  readonly eventStore: ReturnType<typeof createEventStore>;
  /** Embeds texts; undefined if search is by words only. */
  readonly embedders: Embedders | undefined;
  readonly webhookRules: WebhookRules;
  /** For endpoint tests; the worker sends deliveries. */
  readonly webhookTransport: WebhookTransport & { close(): Promise<void> };
  readonly historyLinks: HistoryLinks;
  /** Signing key of erasure receipts. */
  readonly erasureKey: () => Promise<string>;
}

/** Connections for look-ups before the tenant is known, and for operators. */
const SYSTEM_CONNECTIONS = 3;

/** Everything with a connection or a loop, created once and closed in order on shutdown. */
export const openResources = async (settings: Settings, logger: Logger, metrics: Metrics): Promise<IngestResources> => {
  const cipher = new EnvelopeCipher(secretKeysOf(settings));
  const databaseUrl = settings.DATABASE_URL;
  const roles = await databaseRoles(databaseUrl, settings.ROW_LEVEL_SECURITY);
  if (roles === undefined) logger.warn({ mode: settings.ROW_LEVEL_SECURITY }, 'row_level_security.off');
  const dataSource = createDataSource({
    url: databaseUrl,
    poolSize: settings.DATABASE_POOL_SIZE,
    roles,
    systemPoolSize: SYSTEM_CONNECTIONS,
  });
  await dataSource.initialize();
  await settleSigningKeys(dataSource, cipher);
  if (settings.SECRETS_AT_REST === 'plaintext') logger.warn('secrets.stored_in_plaintext');
  const clock = await DatabaseClock.start(dataSource);
  const embedders = await openEmbedders(settings, (error) => logger.warn({ err: error }, 'embeddings.unavailable'));
  const eventStore = createEventStore({
    databaseUrl,
    roles,
    lanes: settings.APPEND_LANES,
    maxBatch: settings.APPEND_MAX_BATCH,
    readers: settings.DATABASE_POOL_SIZE,
    onConnectionError: (error) => logger.warn({ err: error }, 'database.connection_lost'),
    onHead: headMetrics(metrics),
    onBatch: batchMetrics(metrics),
    embedders,
    onEmbeddingFailure: (error) => logger.warn({ err: error }, 'embeddings.unavailable'),
  });
  // Refuses to start if the stored vectors and the configured model differ in dimensions.
  await eventStore.vectors?.register();
  poolMetrics(metrics, [...eventStore.pools, ...poolsOf(dataSource)]);
  await requireDurableCommits(eventStore, settings.DURABLE_COMMITS, logger);
  const unknown = metrics.counter('unknown_events_read_total');
  observeUnknownEvents((type) => unknown.inc({ type }));
  const relaying = openRelay(settings, logger, metrics, eventStore, roles?.system, () => clock.now().getTime());
  const addressPolicy = {
    allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE_ADDRESSES,
    allowCidrs: settings.WEBHOOK_ALLOW_CIDRS,
    allowHttp: settings.WEBHOOK_ALLOW_HTTP,
  };
  return {
    settings,
    logger,
    metrics,
    dataSource,
    clock,
    cipher,
    eventStore,
    embedders,
    ...relaying,
    webhookRules: createWebhookRules(addressPolicy),
    webhookTransport: createWebhookTransport({ ...addressPolicy, timeoutMs: settings.WEBHOOK_TIMEOUT_SECONDS * 1_000 }),
    erasureKey: signingKey(dataSource, cipher, 'erasure_receipts', undefined),
    historyLinks: createHistoryLinks({
      baseUrl: settings.PUBLIC_URL,
      days: settings.HISTORY_LINK_DAYS,
      secret: signingKey(dataSource, cipher, 'history_links', settings.HISTORY_LINK_SECRET),
    }),
  };
};
