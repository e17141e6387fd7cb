import {
  standardActionBody,
  standardErasureCompletedBody,
  standardMemoryDeletedBody,
  standardRecordsExtractedBody,
  standardStateUpdatedBody,
  wantsEvent,
  type EventType,
  type LogEvent,
  type WebhookEvent,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { NewDelivery } from './delivery-store.port.js';
import type { Transaction } from '../shared/transaction.port.js';
import type { WebhookEndpoint } from './webhook-endpoint-store.port.js';

/** The webhook message for an event. */
interface Message {
  readonly type: WebhookEvent;
  /** The agent it is about; null if it is about none. */
  readonly agentId: string | null;
  /**
   * Derived from the event alone. Null for messages that describe the agent: those are composed before the first
   * attempt, when the whole conversation is in the log.
   */
  readonly body: string | null;
  /** Its place among those about the agent that must arrive in order. Absent: any order. */
  readonly place?: number | null;
  /** Endpoints to send to; null for all subscribed ones. */
  readonly receivers?: readonly string[];
}

const aboutAgent = (type: WebhookEvent, agentId: string): Message => ({ type, agentId, body: null });

const aboutEvent = (type: WebhookEvent, body: string): Message => ({ type, agentId: null, body });

/** Event types that trigger webhooks. */
export const ANNOUNCED = [
  'agent.started',
  'agent.stopped',
  'agent.failed',
  'agent.instructed',
  'records.extracted',
  'memory.deleted',
  'content.erased',
  'memory_state.captured',
] as const satisfies readonly EventType[];

type Announced = LogEvent<(typeof ANNOUNCED)[number]>;
const TYPES: ReadonlySet<EventType> = new Set(ANNOUNCED);
/** True if the event, or the event of this outline, triggers webhooks. */
export const isAnnounced = <E extends { readonly type: EventType }>(event: E): event is E & Pick<Announced, 'type'> =>
  TYPES.has(event.type);

const messagesFor = (event: Announced): readonly Message[] => {
  switch (event.type) {
    case 'agent.started':
      return [aboutAgent('agent.started', event.data.agentId)];
    case 'agent.stopped':
    case 'agent.failed':
      return [aboutAgent('agent.stopped', event.data.agentId), aboutAgent('agent.history', event.data.agentId)];
    case 'agent.instructed':
      return [
        {
          type: 'agent.action',
          agentId: event.data.agentId,
          body: standardActionBody(event),
          place: event.sequence,
        },
      ];
    case 'records.extracted': {
      // Most windows yield nothing; those trigger no webhook.
      const { records, confirmed, rolling } = event.data;
      const isEmpty = records.length === 0 && confirmed.length === 0;
      const changesState = rolling != null && (rolling.facts.length > 0 || rolling.summary !== null);
      return [
        ...(isEmpty ? [] : [aboutEvent('records.extracted', standardRecordsExtractedBody(event))]),
        ...(changesState ? [aboutEvent('memory_state.updated', standardStateUpdatedBody(event))] : []),
      ];
    }
    case 'memory_state.captured':
      return [aboutEvent('memory_state.updated', standardStateUpdatedBody(event))];
    case 'memory.deleted':
      return [{ type: 'memory.deleted', agentId: null, body: standardMemoryDeletedBody(event) }];
    case 'content.erased': {
      const { receivers = [] } = event.data;
      if (receivers.length === 0) return [];
      return [{ type: 'erasure.completed', agentId: null, body: standardErasureCompletedBody(event), receivers }];
    }
  }
};

/** Inserts the deliveries for events: one per subscribed endpoint, with a deterministic id. */
export class PlanDeliveries {
  constructor(private readonly deps: Pick<Ports, 'endpoints' | 'deliveries' | 'ids'>) {}

  /** Resolves to the number of deliveries for the events. All are due immediately. */
  async execute(tx: Transaction, events: readonly LogEvent[]): Promise<number> {
    const planned = events
      .filter(isAnnounced)
      .flatMap((event) => messagesFor(event).map((message) => ({ event, message })));
    let count = 0;
    const tenants = [...new Set(planned.map(({ event }) => event.tenantId))];
    for (const tenantId of tenants) {
      const endpoints = await this.deps.endpoints.listening(tx, tenantId);
      const deliveries = planned
        .filter(({ event }) => event.tenantId === tenantId)
        .flatMap(({ event, message }) =>
          endpoints
            .filter((endpoint) => wantsEvent(endpoint, message.type))
            .filter(({ endpointId }) => message.receivers?.includes(endpointId) ?? true)
            .map((endpoint) => this.deliveryOf(event, message, endpoint)),
        );
      await this.deps.deliveries.insert(tx, deliveries);
      count += deliveries.length;
    }
    return count;
  }

  private deliveryOf(
    event: LogEvent,
    { type, agentId, body, place = null }: Message,
    endpoint: WebhookEndpoint,
  ): NewDelivery {
    const { endpointId, tenantId } = endpoint;
    const deliveryId = this.deps.ids.derive('delivery', event.eventId, type, endpointId);
    return {
      deliveryId,
      tenantId,
      endpointId,
      eventType: type,
      causeEventId: event.eventId,
      agentId,
      messageId: `msg_${deliveryId.replaceAll('-', '')}`,
      body: body === null ? null : new TextEncoder().encode(body),
      place,
      sessionKey: event.sessionKey,
    };
  }
}
