/** Events that can be sent to webhook endpoints. An endpoint may subscribe to some of them. */
export const WEBHOOK_EVENTS = [
  'agent.started',
  'agent.stopped',
  'agent.history',
  'records.extracted',
  'memory.deleted',
  'erasure.completed',
  'agent.action',
  'memory_state.updated',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The envelope and signature of an endpoint: Standard Webhooks 1.0, or Agora's notification service. */
export const WEBHOOK_FORMATS = ['standard', 'agora'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

const AGORA_EVENT_TYPES: Readonly<Partial<Record<WebhookEvent, number>>> = {
  'agent.started': 101,
  'agent.stopped': 102,
  'agent.history': 103,
};

/** Agora's number of an event. Null if Agora has none: the event is then not sent in that format. */
export const agoraEventType = (event: WebhookEvent): number | null => AGORA_EVENT_TYPES[event] ?? null;

const NAMED_ONLY: ReadonlySet<WebhookEvent> = new Set(['agent.action', 'memory_state.updated']);

/**
 * Whether an endpoint subscribes to an event. No filter means every event that its format supports, except those that
 * must be named: only a server that can carry actions out may take them, and states change often.
 */
export const wantsEvent = (
  endpoint: { readonly format: WebhookFormat; readonly events: readonly WebhookEvent[] | null },
  event: WebhookEvent,
): boolean =>
  (endpoint.events === null ? !NAMED_ONLY.has(event) : endpoint.events.includes(event)) &&
  (endpoint.format === 'standard' || agoraEventType(event) !== null);
