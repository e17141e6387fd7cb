import type { Embedders } from '@turnkeeper/application';
import { openEmbedders } from '@turnkeeper/extraction/embeddings';
import { eventStream, NatsConnectionProvider } from '@turnkeeper/messaging';
import {
  connectOrSay,
  durabilityCheck,
  headMetrics,
  LastFailures,
  openTracing,
  poolMetrics,
  requireDurableCommits,
  secretKeysOf,
  type HealthCheck,
  type Logger,
  type Metrics,
  type Settings,
  type ShutdownStep,
  type Tracing,
} from '@turnkeeper/platform';
import {
  CallerActivity,
  createDataSource,
  createEventStore,
  DatabaseClock,
  databaseRoles,
  EnvelopeCipher,
  observeUnknownEvents,
  PgTraceContexts,
  poolsOf,
  settleSigningKeys,
  shareConnections,
  type DatabaseRoles,
  type EventStoreOptions,
} from '@turnkeeper/postgres';
import type { SecretCipher } from '@turnkeeper/postgres';

import { aroundAppends } from './tracing.js';

/** What both services open in the same way. */
export interface Runtime {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Absent without row-level security. */
  readonly roles: DatabaseRoles | undefined;
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
  readonly tracing: Tracing;
  /** The newest failure of each dependency, for `/status`. */
  readonly failures: LastFailures;
  /** Where traces continue behind the log. */
  readonly traceContexts: PgTraceContexts;
  /** Noted by the worker's dispatcher; its background appends rest while callers append. */
  readonly callers: CallerActivity;
}

export interface RuntimeOptions {
  readonly service: 'ingest' | 'worker';
  readonly append: { readonly lanes: number } & Pick<EventStoreOptions, 'maxBatch' | 'onBatch'>;
}

/**
 * Opens everything with a connection. Rejects if the database cannot be reached or is not as the settings require it:
 * roles, signing keys, dimensions of stored vectors, durable commits.
 */
export const openRuntime = async (
  settings: Settings,
  logger: Logger,
  metrics: Metrics,
  { service, append }: RuntimeOptions,
): Promise<Runtime> => {
  const cipher = new EnvelopeCipher(secretKeysOf(settings));
  const databaseUrl = settings.DATABASE_URL;
  const shares = shareConnections(service, settings.DATABASE_POOL_SIZE, append.lanes);
  const roles = await connectOrSay(() => databaseRoles(databaseUrl, settings.ROW_LEVEL_SECURITY), 'DATABASE_URL');
  if (roles === undefined) logger.warn({ mode: settings.ROW_LEVEL_SECURITY }, 'row_level_security.off');
  else if (roles.restricted === undefined) logger.warn('row_level_security.tenants_only');
  const dataSource = createDataSource({
    url: databaseUrl,
    roles,
    poolSize: shares.rows,
    systemPoolSize: shares.systemRows,
  });
  await dataSource.initialize();
  await settleSigningKeys(dataSource, cipher);
  const tracing = await openTracing(service, settings, logger);
  const traceContexts = new PgTraceContexts(dataSource);
  if (settings.SECRETS_AT_REST === 'plaintext') logger.warn('secrets.stored_in_plaintext');
  const failures = new LastFailures();
  const clock = await DatabaseClock.start(dataSource);
  const onEmbeddingFailure = (error: unknown): void => {
    failures.note('embeddings', error);
    logger.warn({ err: error }, 'embeddings.unavailable');
  };
  const embedders = await openEmbedders(settings, onEmbeddingFailure, service === 'worker');
  if (embedders === undefined) logger.warn('search.words_only');
  else logger.info({ model: embedders.current.model, turns: settings.EMBED_TURNS }, 'search.by_meaning');
  const eventStore = createEventStore({
    databaseUrl,
    roles,
    readers: shares.log,
    systemReaders: shares.systemLog,
    embedders,
    embedTurns: settings.EMBED_TURNS === 'on',
    onEmbeddingFailure,
    ...append,
    onConnectionError: (error) => logger.warn({ err: error }, 'database.connection_lost'),
    onHead: headMetrics(metrics),
    aroundAppend: tracing.on ? aroundAppends(tracing, traceContexts) : undefined,
  });
  poolMetrics(metrics, [...eventStore.pools, eventStore.tenants.turns, ...poolsOf(dataSource)]);
  // Refuses to start if the stored vectors and the configured model differ in dimensions.
  await eventStore.vectors?.register();
  await requireDurableCommits(eventStore, settings.DURABLE_COMMITS, logger);
  const unknown = metrics.counter('unknown_events_read_total');
  observeUnknownEvents((type) => unknown.inc({ type }));
  const broker = new NatsConnectionProvider({
    url: settings.NATS_URL,
    name: `turnkeeper-${service}`,
    onChange: (state) => logger.info({ state }, 'nats.changed'),
  });
  const stream = eventStream({
    stream: settings.NATS_STREAM,
    subjectPrefix: settings.NATS_SUBJECT_PREFIX,
    replicas: settings.STREAM_REPLICAS,
  });
  return {
    settings,
    logger,
    metrics,
    roles,
    dataSource,
    clock,
    cipher,
    eventStore,
    embedders,
    broker,
    stream,
    tracing,
    traceContexts,
    failures,
    callers: new CallerActivity(),
  };
};

/** Health of what `openRuntime` opened. */
export const runtimeChecks = ({ settings, eventStore, dataSource, broker }: Runtime): readonly HealthCheck[] => [
  durabilityCheck(eventStore, settings.DURABLE_COMMITS),
  { name: 'postgres', required: true, check: async () => void (await dataSource.query('select 1')) },
  { name: 'nats', required: false, check: () => broker.ping() },
];

/** Closes what `openRuntime` opened, in order. It must not be used afterwards. */
export const closeRuntime = ({
  eventStore,
  embedders,
  broker,
  clock,
  dataSource,
  tracing,
}: Runtime): readonly ShutdownStep[] => [
  { name: 'event store', run: () => eventStore.close() },
  { name: 'embeddings', run: async () => embedders?.close() },
  { name: 'nats', run: () => broker.close() },
  { name: 'clock', run: async () => clock.stop() },
  { name: 'database', run: () => dataSource.destroy() },
  { name: 'tracing', run: () => tracing.close() },
];
