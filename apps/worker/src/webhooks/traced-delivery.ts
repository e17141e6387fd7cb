import type { DeliverWebhook, WebhookTransport } from '@turnkeeper/application';
import type { Tracing } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** A span for each attempt of a delivery, in the trace of the request that caused it. */
export const tracedDelivery = (
  deliverWebhook: Pick<DeliverWebhook, 'execute'>,
  { tracing, traceContexts }: Pick<WorkerResources, 'tracing' | 'traceContexts'>,
): Pick<DeliverWebhook, 'execute'> => {
  if (!tracing.on) return deliverWebhook;
  return {
    execute: async (deliveryId, signal) => {
      const [parent] = await traceContexts.ofDelivery(deliveryId).catch(() => []);
      const span = tracing.start('deliver webhook', {
        kind: 'consumer',
        parent,
        attributes: { 'turnkeeper.delivery.id': deliveryId },
      });
      if (span === undefined) return deliverWebhook.execute(deliveryId, signal);
      try {
        const result = await span.run(() => deliverWebhook.execute(deliveryId, signal));
        // Nothing was sent: the span is never ended, so it is not exported.
        if (result.kind === 'not_due') return result;
        if (result.kind === 'attempted') span.set({ 'turnkeeper.attempt': result.attempt });
        if (result.reason !== 'delivered') span.fail(result.reason);
        span.end();
        return result;
      } catch (error) {
        span.fail(error);
        span.end();
        throw error;
      }
    },
  };
};

/** A span for each request to a receiver, which can continue the trace. */
export const tracedTransport = (transport: WebhookTransport, tracing: Tracing): WebhookTransport => {
  if (!tracing.on) return transport;
  return {
    attempt: (message, signal) => {
      // Without the path, which may hold a token.
      const { hostname } = new URL(message.url);
      const attributes = { 'http.request.method': 'POST', 'server.address': hostname };
      return tracing.within('POST', { kind: 'client', attributes }, async (span) => {
        const traced = span === undefined ? message : { ...message, traceparent: span.traceparent };
        const outcome = await transport.attempt(traced, signal);
        if (outcome.kind === 'response') span?.set({ 'http.response.status_code': outcome.status });
        else span?.fail(outcome.code);
        return outcome;
      });
    },
  };
};
