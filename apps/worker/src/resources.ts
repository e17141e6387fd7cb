import type { Embedders, SecretCipher } from '@turnkeeper/application';
import {
  createDataSource,
  createEventStore,
  DatabaseClock,
  databaseRoles,
  EnvelopeCipher,
  observeUnknownEvents,
  poolsOf,
  settleSigningKeys,
} from '@turnkeeper/postgres';
import { openEmbedders } from '@turnkeeper/extraction/embeddings';
import { BullMqJobQueue, queueBackend } from '@turnkeeper/jobs';
import { eventStream, NatsConnectionProvider } from '@turnkeeper/messaging';
import type { Logger, Metrics, Settings } from '@turnkeeper/platform';
import { headMetrics, poolMetrics, requireDurableCommits, secretKeysOf } from '@turnkeeper/platform';

export interface WorkerResources {
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
  readonly broker: NatsConnectionProvider;
  readonly stream: ReturnType<typeof eventStream>;
  readonly queues: ReturnType<typeof queueBackend>;
  readonly queue: BullMqJobQueue;
}

/** Everything with a connection, created once and closed in order on shutdown. */
export const openResources = async (settings: Settings, logger: Logger, metrics: Metrics): Promise<WorkerResources> => {
  const cipher = new EnvelopeCipher(secretKeysOf(settings));
  const databaseUrl = settings.DATABASE_URL;
  const roles = await databaseRoles(databaseUrl, settings.ROW_LEVEL_SECURITY);
  if (roles === undefined) logger.warn({ mode: settings.ROW_LEVEL_SECURITY }, 'row_level_security.off');
  const dataSource = createDataSource({
    url: databaseUrl,
    poolSize: settings.DATABASE_POOL_SIZE,
    roles,
  });
  await dataSource.initialize();
  await settleSigningKeys(dataSource, cipher);
  if (settings.SECRETS_AT_REST === 'plaintext') logger.warn('secrets.stored_in_plaintext');
  const clock = await DatabaseClock.start(dataSource);
  const embedders = await openEmbedders(settings, (error) => logger.warn({ err: error }, 'embeddings.unavailable'));
  const eventStore = createEventStore({
    databaseUrl,
    roles,
    lanes: 1,
    readers: settings.DATABASE_POOL_SIZE,
    onConnectionError: (error) => logger.warn({ err: error }, 'database.connection_lost'),
    onHead: headMetrics(metrics),
    embedders,
    onEmbeddingFailure: (error) => logger.warn({ err: error }, 'embeddings.unavailable'),
  });
  poolMetrics(metrics, [...eventStore.pools, ...poolsOf(dataSource)]);
  // Refuses to start if the stored vectors and the configured model differ in dimensions.
  await eventStore.vectors?.register();
  await requireDurableCommits(eventStore, settings.DURABLE_COMMITS, logger);
  const unknown = metrics.counter('unknown_events_read_total');
  observeUnknownEvents((type) => unknown.inc({ type }));
  const broker = new NatsConnectionProvider({
    url: settings.NATS_URL,
    name: 'turnkeeper-worker',
    onChange: (state) => logger.info({ state }, 'nats.changed'),
  });
  const queues = queueBackend(settings.QUEUE_URL, { namespace: settings.QUEUE_PREFIX });
  const queue = new BullMqJobQueue(queues, {
    onError: (error) => logger.debug({ err: error }, 'queue.connection_lost'),
  });
  return {
    settings,
    logger,
    metrics,
    dataSource,
    clock,
    cipher,
    eventStore,
    embedders,
    broker,
    stream: eventStream({ stream: settings.NATS_STREAM, subjectPrefix: settings.NATS_SUBJECT_PREFIX }),
    queues,
    queue,
  };
};
