import { setTimeout } from 'node:timers/promises';
import {
  ContentRelay,
  contentStream,
  deleteContentStream,
  type ContentRelayPorts,
  type EventStream,
} from '@turnkeeper/messaging';
import type { Logger, Metrics, Settings } from '@turnkeeper/platform';

/** Publishes the log as CloudEvents, or ensures that no such stream exists. */
export interface ContentPublishing {
  start(): void;
  /** The log has grown. */
  notify(): void;
  stop(): Promise<void>;
}

/** @param references the stream of references, which the names follow */
export const openContentStream = (
  settings: Settings,
  logger: Logger,
  metrics: Metrics,
  ports: Omit<ContentRelayPorts, 'stream'>,
  references: EventStream,
): ContentPublishing => {
  const stream = contentStream(references, settings.STREAM_CONTENT_HOURS);
  if (settings.STREAM_CONTENT === 'references') return withoutContent(ports, stream, logger);
  const published = metrics.counter('content_published_events_total');
  const skipped = metrics.counter('content_skipped_events_total');
  const failures = metrics.counter('content_failures_total');
  return new ContentRelay(
    { ...ports, stream },
    { pollMs: settings.RELAY_POLL_MS },
    {
      published: (events) => published.inc(events),
      skipped: (events) => {
        skipped.inc(events);
        logger.warn({ events }, 'content.skipped');
      },
      failed: (error) => {
        failures.inc();
        logger.warn({ err: error }, 'content.failed');
      },
    },
  );
};

const LOOK_MS = 10_000;

/** Deletes the stream of an earlier setting, once, while this process leads: erasures no longer reach its content. */
const withoutContent = (
  { broker, isLeading }: Pick<ContentRelayPorts, 'broker' | 'isLeading'>,
  stream: EventStream,
  logger: Logger,
): ContentPublishing => {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await setTimeout(LOOK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted || !isLeading() || !broker.isConnected()) continue;
      try {
        if (await deleteContentStream(broker, stream)) logger.warn({ stream: stream.name }, 'content.stream_deleted');
        return;
      } catch (error) {
        logger.debug({ err: error }, 'content.stream_not_deleted');
      }
    }
  };
  return {
    start: () => (running ??= run()),
    notify: () => undefined,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
