import { unreadableNotice, type Connector, type Ids, type ReadNotice } from '@turnkeeper/application';
import { isZegoFact, ZEGO_INSTANCE_CREATED, ZEGO_INSTANCE_DELETED, zegoCallbackOf } from './shapes.js';
import { zegoPlace, zegoPlacesOf } from './places.js';
import { zegoCallbackKey, zegoSequenceKey } from './rounds.js';
import type { VerifiedCallback } from './verify.js';

/** Audio of the user's first words. Memory does not need it, so no voice recordings are stored. */
const VOICE = 'UserAudioData';

/** One notice per callback. Callbacks without conversation content are stored as ignored. */
export const readZego = (
  { raw, callback: body }: VerifiedCallback,
  { connector, ids }: { readonly connector: Connector; readonly ids: Ids },
): readonly ReadNotice[] => {
  const { Event: eventType, AgentInstanceId: callKey, Sequence, Data, Signature } = body;
  // A signature does not cover the body, so each is accepted once.
  const stored = { body: eventType === VOICE ? null : raw, stamp: Signature.toLowerCase() };
  const notice = { eventType, code: null, ...stored };
  if (!isZegoFact(eventType)) {
    const isWanted = eventType === ZEGO_INSTANCE_CREATED || eventType === ZEGO_INSTANCE_DELETED;
    const identity = Sequence === null ? JSON.stringify(Data) : zegoSequenceKey(Sequence);
    const noticeKey = ids.derive('zego notice', callKey, eventType, identity);
    if (!isWanted) return [{ ...notice, noticeKey, callKey: null, status: 'ignored', place: null }];
    return [{ ...notice, noticeKey, callKey, status: 'waiting', place: null }];
  }
  try {
    const callback = zegoCallbackOf(body);
    const noticeKey = ids.derive('zego notice', callback === null ? JSON.stringify(body) : zegoCallbackKey(callback));
    const userId = callback?.event === 'ASRResult' ? callback.userId : null;
    const known = { AgentInstanceId: callKey, UserId: userId ?? null, RoomId: body.RoomId ?? null };
    return [{ ...notice, noticeKey, callKey, status: 'waiting', place: zegoPlace(zegoPlacesOf(connector), known) }];
  } catch {
    const identity = JSON.stringify([callKey, eventType, Sequence, Data]);
    return [unreadableNotice(ids, { eventType, identity, ...stored })];
  }
};
