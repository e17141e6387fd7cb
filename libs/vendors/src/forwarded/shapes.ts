import { actorId, sessionId } from '@turnkeeper/contracts';
import { z } from 'zod';

/** Maximum number of events in one request. */
const MAX_EVENTS = 1_000;

export const id = z.string().min(1).max(255);

/**
 * What a business's own server sends of a call: its user and session, and the platform's events as received. The platforms
 * whose events reach this server only in this way have this body in common.
 */
export const forwardedBody = z.looseObject({
  /** The user who speaks. */
  actor_id: actorId,
  session_id: sessionId,
  /** Tells the calls in one session of a user apart. Default: the session's id. */
  call_id: id.optional(),
  /** The platform's events, unchanged, in their order. */
  events: z
    .array(z.looseObject({ type: id }), 'must be a list of events with a type')
    .max(MAX_EVENTS, `must have at most ${MAX_EVENTS.toLocaleString('en-US')} events`)
    .default([]),
  /** The call has ended: no more events follow. */
  ended: z.boolean().default(false),
});
export type ForwardedBody = z.infer<typeof forwardedBody>;

/** Ours: the forwarding server said `ended`. */
export const endedEvent = z.object({ type: z.literal('ended') });

/** A notice as stored: one event, with its place, and its position in the request. */
export const forwardedNotice = <Event extends z.ZodType>(event: Event) =>
  z.object({
    actorId: z.string(),
    sessionId: z.string(),
    /** Absent in notices stored before calls were told apart by their user: there it is the key of the call. */
    callId: z.string().optional(),
    index: z.int(),
    event,
  });
