import { PgRelayCursor } from '@turnkeeper/postgres';
import { JetStreamPublisher, JetStreamReconciler, Relay, StreamWatch } from '@turnkeeper/messaging';
import type { Runtime } from '@turnkeeper/runtime';
import { tracedPublisher } from './traced-publisher.js';
import { openContentStream, type ContentPublishing } from './content-stream.js';

/** Relays the log to JetStream and reconciles the two. */
export interface RelayResources {
  readonly relay: Relay;
  readonly reconciler: JetStreamReconciler;
  readonly streamWatch: StreamWatch;
  /** Publishes events as CloudEvents, if the settings say so. */
  readonly content: ContentPublishing;
}

export const openRelay = ({
  settings,
  logger,
  metrics,
  roles,
  clock,
  eventStore,
  broker,
  stream,
  tracing,
  traceContexts,
  failures,
}: Runtime): RelayResources => {
  const publisher = new JetStreamPublisher(broker, { stream });
  const published = metrics.counter('relay_published_events_total');
  const relayFailures = metrics.counter('relay_failures_total');
  const leading = metrics.gauge('relay_leading');
  const relay = new Relay(
    {
      log: eventStore,
      cursor: new PgRelayCursor(settings.DATABASE_URL, { role: roles?.system }),
      publisher: tracedPublisher(publisher, tracing, traceContexts, stream.name),
    },
    { pollIntervalMs: settings.RELAY_POLL_MS },
    {
      published: (events) => {
        published.inc(events);
        content.notify();
      },
      failed: (error, pauseMs) => {
        relayFailures.inc();
        failures.note('relay', error);
        logger.warn({ err: error, pauseMs }, 'relay.failed');
      },
      leading: (isLeading) => {
        leading.set(isLeading ? 1 : 0);
        logger.info({ isLeading }, 'relay.lead_changed');
      },
    },
  );
  const content = openContentStream(
    settings,
    logger,
    metrics,
    { log: eventStore, broker, isLeading: () => relay.isLeading, nowMs: () => clock.now().getTime() },
    stream,
  );
  const holes = metrics.gauge('jetstream_missing_events');
  const lost = metrics.counter('jetstream_lost_events_total');
  const again = metrics.counter('jetstream_republished_messages_total');
  const reconciler = new JetStreamReconciler(
    { log: eventStore, published: eventStore.published, publisher, broker, stream },
    (report) => {
      holes.set(report.missing);
      lost.inc(report.missing);
      again.inc(report.republished);
      if (report.missing > 0) logger.warn(report, 'stream.repaired');
      else logger.info(report, 'stream.compared');
    },
  );
  const streamWatch = new StreamWatch(
    reconciler,
    () => relay.isLeading,
    () => clock.now().getTime(),
    (error) => logger.warn({ err: error }, 'stream.comparison_failed'),
  );
  return { relay, reconciler, streamWatch, content };
};
