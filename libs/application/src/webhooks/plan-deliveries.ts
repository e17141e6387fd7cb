import { wantsEvent, type LogEvent, type WebhookEvent } from '@turnkeeper/domain';
import type { Ids } from '../ports/clock.port.js';
import type { Transaction } from '../ports/transaction.port.js';
import type { WebhookStore } from '../ports/webhook-store.port.js';

/** What an endpoint is told when an agent's life goes on. */
const messagesFor = (event: LogEvent): readonly { readonly type: WebhookEvent; readonly agentId: string }[] => {
  switch (event.type) {
    case 'agent.started':
      return [{ type: 'agent.started', agentId: event.data.agentId }];
    case 'agent.stopped':
    case 'agent.failed':
      return [
        { type: 'agent.stopped', agentId: event.data.agentId },
        { type: 'agent.history', agentId: event.data.agentId },
      ];
    default:
      return [];
  }
};

/** Writes the deliveries that an event causes: one for every endpoint that wants it, with an id that never changes. */
export class PlanDeliveries {
  constructor(private readonly deps: { readonly webhooks: WebhookStore; readonly ids: Ids }) {}

  async execute(tx: Transaction, event: LogEvent): Promise<void> {
    const { webhooks, ids } = this.deps;
    for (const { type, agentId } of messagesFor(event)) {
      const endpoints = await webhooks.subscribers(tx, event.tenantId, type);
      await webhooks.insertDeliveries(
        tx,
        endpoints
          .filter((endpoint) => wantsEvent(endpoint, type))
          .map(({ endpointId }) => {
            const deliveryId = ids.derive('delivery', event.eventId, type, endpointId);
            return {
              deliveryId,
              tenantId: event.tenantId,
              endpointId,
              eventType: type,
              causeEventId: event.eventId,
              agentId,
              messageId: `msg_${deliveryId.replaceAll('-', '')}`,
            };
          }),
      );
    }
  }
}
