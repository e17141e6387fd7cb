import type { AgoraContent } from '@turnkeeper/domain';
import { z } from 'zod';

/** Agora's product id of Conversational AI. Event numbers overlap between products: route on both. */
const CONVERSATIONAL_AI = 17;

/** Ignores an invalid value, so that a vendor's mistake in one field does not reject the notification. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const record = z.record(z.string(), z.json());

/**
 * Envelope of every Agora notification. Unknown fields are accepted; only some products send `sid`; `notifyMs` is the
 * time of this attempt, so it differs between retries.
 */
export const agoraNotification = z.looseObject({
  /** Opaque. Unchanged in retries; with `productId`, identifies duplicates. */
  noticeId: z.union([z.string().min(1).max(255), z.int()]).transform(String),
  productId: z.int(),
  eventType: z.int(),
  notifyMs: lenient(z.number()),
  sid: lenient(z.string()),
  payload: z.looseObject({}).default({}),
});
export type AgoraNotification = z.infer<typeof agoraNotification>;

/**
 * An item of `contents`. Fields of both format versions may occur (`turn_id`, `metadata`; `speech_start_ms`, …), and
 * the reference lists none of them for event 103, so only role and content are required.
 */
export const agoraContent = z
  .looseObject({
    role: z.string().min(1),
    content: z
      .string()
      .nullish()
      .transform((content) => content ?? ''),
    turn_id: lenient(z.int()),
    timestamp: lenient(z.number()),
    metadata: lenient(record),
  })
  .transform(
    (item): AgoraContent =>
      Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as AgoraContent,
  );

/** Payload fields shared by 101 (joined), 102 (left) and 103 (history), and those specific to each. */
export const agoraAgentPayload = z.looseObject({
  agent_id: z.string().min(1).max(255),
  /** Unique among running agents here; truncated to a length that can be indexed. */
  name: lenient(z.string().transform((name) => name.slice(0, 255))),
  channel: lenient(z.string()),
  labels: lenient(record),
  /** Seconds since 1970 in Agora's examples; convert with `stampMs`. */
  start_ts: lenient(z.number()),
  stop_ts: lenient(z.number()),
  /** 102 only. */
  status: lenient(z.string()),
  message: lenient(z.string()),
  /** 103 only: the newest messages, at most `max_history`, oldest first. */
  contents: z.array(agoraContent).default([]),
});
export type AgoraAgentPayload = z.infer<typeof agoraAgentPayload>;

export type AgoraAgentEvent = 'joined' | 'left' | 'history';
const AGENT_EVENTS: Readonly<Record<number, AgoraAgentEvent>> = { 101: 'joined', 102: 'left', 103: 'history' };

/** The agent event in a notification. Null for all others, which are acknowledged and ignored. */
export const agoraAgentEvent = (notification: AgoraNotification): AgoraAgentEvent | null =>
  (notification.productId === CONVERSATIONAL_AI && AGENT_EVENTS[notification.eventType]) || null;
