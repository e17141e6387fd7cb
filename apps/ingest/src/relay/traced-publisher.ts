import type { EventNotice, EventPublisher } from '@turnkeeper/application';
import type { OpenSpan, Tracing } from '@turnkeeper/platform';
import type { PgTraceContexts } from '@turnkeeper/postgres';

/**
 * The publisher with a span for each notice that contains events of sampled requests. The span continues the newest of
 * those traces and links to the others, and consumers continue from it.
 */
export const tracedPublisher = (
  publisher: EventPublisher,
  tracing: Tracing,
  contexts: Pick<PgTraceContexts, 'find'>,
  stream: string,
): EventPublisher => {
  if (!tracing.on) return publisher;
  return {
    publish: async (notices) => {
      const spans: OpenSpan[] = [];
      try {
        await publisher.publish(await traced(notices, spans));
      } catch (error) {
        for (const span of spans) span.fail(error);
        throw error;
      } finally {
        for (const span of spans) span.end();
      }
    },
  };

  async function traced(notices: readonly EventNotice[], spans: OpenSpan[]): Promise<readonly EventNotice[]> {
    const eventIds = notices.flatMap(({ events }) => events.map(({ eventId }) => eventId));
    // Traces are never worth a delay of the relay's work.
    const found = await contexts.find(eventIds).catch(() => new Map<string, string>());
    if (found.size === 0) return notices;
    return notices.map((notice) => {
      const causes = [...new Set(notice.events.flatMap(({ eventId }) => found.get(eventId) ?? []))].reverse();
      const [parent, ...links] = causes;
      if (parent === undefined) return notice;
      const span = tracing.start(`send ${stream}`, {
        kind: 'producer',
        parent,
        links,
        attributes: {
          'messaging.system': 'nats',
          'messaging.operation.type': 'send',
          'messaging.destination.name': stream,
          'turnkeeper.events': notice.events.length,
          'gen_ai.memory.store.id': notice.memoryId,
        },
      });
      if (span === undefined) return notice;
      spans.push(span);
      return { ...notice, traceparent: span.traceparent };
    });
  }
};
