import type { AgoraContent } from '@turnkeeper/domain';
import { z } from 'zod';

/** Agora's product number for Conversational AI. Event numbers collide across products: route on the pair. */
const CONVERSATIONAL_AI = 17;

/** A field that is read where it makes sense, and left out where it does not: a vendor's slip costs no notification. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const record = z.record(z.string(), z.json());

/**
 * The frame of every notification of Agora's notification service. New fields pass; `sid` comes with some products
 * only; `notifyMs` is the time of this attempt, so it differs between repeats.
 */
export const agoraNotification = z.looseObject({
  /** Opaque. The same on every repeat; with `productId` it tells repeats apart. */
  noticeId: z.union([z.string().min(1).max(255), z.int()]).transform(String),
  productId: z.int(),
  eventType: z.int(),
  notifyMs: lenient(z.number()),
  sid: lenient(z.string()),
  payload: z.looseObject({}).default({}),
});
export type AgoraNotification = z.infer<typeof agoraNotification>;

/**
 * An item of `contents`. Both generations of its fields may be there (`turn_id`, `metadata`; `speech_start_ms`, …), and
 * the reference lists none of them for event 103: only role and content count on being there.
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

/** What the payloads of 101 (joined), 102 (left) and 103 (history) have in common, and what each adds. */
export const agoraAgentPayload = z.looseObject({
  agent_id: z.string().min(1).max(255),
  /** Ours are unique among running agents: kept to a length that an index can hold. */
  name: lenient(z.string().transform((name) => name.slice(0, 255))),
  channel: lenient(z.string()),
  labels: lenient(record),
  /** Seconds since 1970 by the examples; read with `stampMs`. */
  start_ts: lenient(z.number()),
  stop_ts: lenient(z.number()),
  /** On 102. */
  status: lenient(z.string()),
  message: lenient(z.string()),
  /** On 103: at most `max_history` of the newest messages, oldest first. */
  contents: z.array(agoraContent).default([]),
});
export type AgoraAgentPayload = z.infer<typeof agoraAgentPayload>;

export type AgoraAgentEvent = 'joined' | 'left' | 'history';
const AGENT_EVENTS: Readonly<Record<number, AgoraAgentEvent>> = { 101: 'joined', 102: 'left', 103: 'history' };

/** Which of an agent's events a notification tells of; null for all others, which are acknowledged and let go. */
export const agoraAgentEvent = (notification: AgoraNotification): AgoraAgentEvent | null =>
  (notification.productId === CONVERSATIONAL_AI && AGENT_EVENTS[notification.eventType]) || null;
