import type { AttemptView, DeliveryView } from '@turnkeeper/application';
import type { Delivery, WebhookEvent } from '@turnkeeper/domain';

export interface DeliveryRow {
  delivery_id: string;
  tenant_id: string;
  endpoint_id: string;
  event_type: WebhookEvent;
  cause_event_id: string;
  agent_id: string | null;
  message_id: string;
  body: Buffer | null;
  agent_place: string | null;
  status: Delivery['status'];
  attempts: number;
  round: number;
  due_at: Date | null;
  last_reason: Delivery['lastReason'];
  park_reason: Delivery['parkReason'];
  fence: string;
  created_at: Date;
  purged_at: Date | null;
}

export interface AttemptRow {
  delivery_id: string;
  attempt: number;
  at: Date;
  reason: string;
  status: number | null;
  duration_ms: number;
  detail: string | null;
}

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  status: row.status,
  attempts: row.attempts,
  round: row.round,
  dueAt: row.due_at?.toISOString() ?? null,
  lastReason: row.last_reason,
  parkReason: row.park_reason,
});

export const deliveryViewOf = (row: DeliveryRow, attempts: readonly AttemptRow[]): DeliveryView => ({
  deliveryId: row.delivery_id,
  endpointId: row.endpoint_id,
  messageId: row.message_id,
  eventType: row.event_type,
  agentId: row.agent_id,
  delivery: deliveryOf(row),
  createdAt: row.created_at.toISOString(),
  purgedAt: row.purged_at?.toISOString() ?? null,
  history: attempts.filter(({ delivery_id }) => delivery_id === row.delivery_id).map(attemptOf),
});

const attemptOf = (row: AttemptRow): AttemptView => ({
  attempt: row.attempt,
  at: row.at.toISOString(),
  reason: row.reason,
  status: row.status,
  durationMs: row.duration_ms,
  // Of a response, the beginning of its body is stored as the detail.
  detail: row.status === null ? row.detail : null,
  response: row.status === null ? null : row.detail,
});
