import { unreadableNotice, type Ids, type ReadNotice } from '@turnkeeper/application';
import type { z } from 'zod';
import type { ForwardedBody } from './shapes.js';

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** What tells one platform's events from another's. */
export interface Forwarding<Event extends { readonly type: string }> {
  /** From which the ids of calls, notices and events are derived, so it never changes. */
  readonly idName: string;
  readonly event: z.ZodType<Event>;
}

/**
 * One notice per event that says something about the conversation. The others are dropped: there are hundreds of deltas,
 * audio levels etc. for each turn.
 *
 * @param events the schemas of the events that are stored
 */
export const readForwarded = <Event extends { readonly type: string }>(
  { idName, event: schema }: Forwarding<Event>,
  types: ReadonlySet<string>,
) => {
  return (
    { actor_id, session_id, call_id, events, ended }: ForwardedBody,
    { ids }: { readonly ids: Ids },
  ): readonly ReadNotice[] => {
    const place = { actorId: actor_id, sessionId: session_id };
    const callId = call_id ?? session_id;
    // Senders choose these names, so two users may have a session or a call of the same name.
    const callKey = ids.derive(`${idName} call of`, actor_id, session_id, callId);
    const noticeOf = (noticeKey: string, index: number, event: { readonly type: string }): ReadNotice => ({
      noticeKey,
      callKey,
      eventType: event.type,
      body: bytesOf({ ...place, callId, index, event }),
      status: 'waiting',
      code: null,
      place,
      stamp: null,
    });
    const notices = events.flatMap((event, index): ReadNotice[] => {
      if (!types.has(event.type)) return [];
      const identity = event['event_id'] ?? event;
      const parsed = schema.safeParse(event);
      if (parsed.success) {
        return [noticeOf(ids.derive(`${idName} notice`, callKey, JSON.stringify(identity)), index, parsed.data)];
      }
      const unreadable = { eventType: event.type, identity: JSON.stringify([callKey, identity]) };
      return [unreadableNotice(ids, { ...unreadable, body: bytesOf(event), stamp: null })];
    });
    if (!ended) return notices;
    return [...notices, noticeOf(ids.derive(`${idName} end`, callKey), events.length, { type: 'ended' })];
  };
};
