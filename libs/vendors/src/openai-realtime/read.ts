import { unreadableNotice, type Connector, type Ids, type ReadNotice } from '@turnkeeper/application';
import { isConversation, realtimeEvent, type RealtimeBody, type RealtimeEvent, type RealtimeNotice } from './shapes.js';

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/**
 * One notice per event that says something about the conversation. Deltas, audio, rate limits etc. are dropped:
 * there are hundreds of them for each turn.
 */
export const readRealtime = (
  { actor_id, session_id, call_id, events, ended }: RealtimeBody,
  { ids }: { readonly connector: Connector; readonly ids: Ids },
): readonly ReadNotice[] => {
  const place = { actorId: actor_id, sessionId: session_id };
  const callId = call_id ?? session_id;
  // Senders choose these names, so two users may have a session or a call of the same name.
  const callKey = ids.derive('openai realtime call of', actor_id, session_id, callId);
  const noticeOf = (noticeKey: string, index: number, event: RealtimeEvent): ReadNotice => ({
    noticeKey,
    callKey,
    eventType: event.type,
    body: bytesOf({ ...place, callId, index, event } satisfies RealtimeNotice),
    status: 'waiting',
    code: null,
    place,
    stamp: null,
  });
  const notices = events.flatMap((event, index): ReadNotice[] => {
    if (!isConversation(event.type)) return [];
    const identity = event['event_id'] ?? event;
    const parsed = realtimeEvent.safeParse(event);
    if (parsed.success) {
      const noticeKey = ids.derive('openai realtime notice', callKey, JSON.stringify(identity));
      return [noticeOf(noticeKey, index, parsed.data)];
    }
    const unreadable = { eventType: event.type, identity: JSON.stringify([callKey, identity]) };
    return [unreadableNotice(ids, { ...unreadable, body: bytesOf(event), stamp: null })];
  });
  if (!ended) return notices;
  return [...notices, noticeOf(ids.derive('openai realtime end', callKey), events.length, { type: 'ended' })];
};
