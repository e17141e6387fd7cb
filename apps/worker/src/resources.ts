import type { SecretCipher } from '@turnkeeper/application';
import { createEventStore, observeUnknownEvents, type OnHead } from '@turnkeeper/event-store';
import { BullMqJobQueue, queueBackend } from '@turnkeeper/jobs';
import { eventStream, NatsConnectionProvider } from '@turnkeeper/messaging';
import type { Logger, Metrics, Settings } from '@turnkeeper/platform';
import { requireDurableCommits, secretKeysOf } from '@turnkeeper/platform';
import {
  createDataSource,
  DatabaseClock,
  databaseRoles,
  EnvelopeCipher,
  settleSigningKeys,
} from '@turnkeeper/read-models';

export interface WorkerResources {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly dataSource: ReturnType<typeof createDataSource>;
  /** The database's time: due times and stamps of all processes follow it. */
  readonly clock: DatabaseClock;
  /** Seals secrets before they are stored. */
  readonly cipher: SecretCipher;
  readonly eventStore: ReturnType<typeof createEventStore>;
  readonly broker: NatsConnectionProvider;
  readonly stream: ReturnType<typeof eventStream>;
  readonly queues: ReturnType<typeof queueBackend>;
  readonly queue: BullMqJobQueue;
}

const HEAD_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const headMetrics = (metrics: Metrics): OnHead => {
  const wait = metrics.histogram('head_wait_seconds', 'How long writes waited for the head of the log.', HEAD_BUCKETS);
  const hold = metrics.histogram('head_hold_seconds', 'How long writes held the head of the log.', HEAD_BUCKETS);
  return ({ waitedMs, heldMs }) => {
    wait.observe(waitedMs / 1_000);
    hold.observe(heldMs / 1_000);
  };
};

/** Everything with a connection, made once and closed in order at the end. */
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
  const eventStore = createEventStore({
    databaseUrl,
    roles,
    lanes: 1,
    readers: settings.DATABASE_POOL_SIZE,
    onConnectionError: (error) => logger.warn({ err: error }, 'database.connection_lost'),
    onHead: headMetrics(metrics),
  });
  await requireDurableCommits(eventStore, settings.DURABLE_COMMITS, logger);
  const unknown = metrics.counter('unknown_events_read_total', 'Events read that a later release wrote, by type.', [
    'type',
  ]);
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
    broker,
    stream: eventStream({ stream: settings.NATS_STREAM, subjectPrefix: settings.NATS_SUBJECT_PREFIX }),
    queues,
    queue,
  };
};
