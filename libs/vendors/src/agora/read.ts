import { unreadableNotice, type Connector, type Ids, type ReadNotice } from '@turnkeeper/application';
import { jsonOrUndefined } from '../shared/exact-json.js';
import { agoraAgentEvent, agoraAgentPayload, agoraNotification } from './shapes.js';
import { agoraPlace, agoraPlacesOf } from './places.js';

/** Channel of the test events that Agora's console sends to verify a URL. */
const TEST_CHANNEL = 'test_webhook';

/** One notice per notification. Notifications of other products, and tests of the URL, are stored as ignored. */
export const readAgora = (
  raw: Uint8Array,
  { connector, ids }: { readonly connector: Connector; readonly ids: Ids },
): readonly ReadNotice[] => {
  const text = new TextDecoder().decode(raw);
  const stored = { body: raw, stamp: null } as const;
  const parsed = agoraNotification.safeParse(jsonOrUndefined(text));
  if (!parsed.success) return [unreadableNotice(ids, { eventType: 'unknown', identity: text, ...stored })];
  const { noticeId, productId, eventType: number } = parsed.data;
  const eventType = `${productId}/${number}`;
  const notice = { noticeKey: ids.derive('agora notice', productId, noticeId), eventType, code: null, ...stored };
  const ignored = { ...notice, callKey: null, status: 'ignored', place: null } as const;
  if (agoraAgentEvent(parsed.data) === null) return [ignored];
  const payload = agoraAgentPayload.safeParse(parsed.data.payload);
  if (!payload.success) return [unreadableNotice(ids, { eventType, identity: text, ...stored })];
  if (payload.data.channel === TEST_CHANNEL) return [ignored];
  const { agent_id: callKey } = payload.data;
  const place = agoraPlace(agoraPlacesOf(connector), { agentId: callKey, ...payload.data });
  // Whatever Agora's ids of notifications are unique in: that of another agent is never a repeat.
  const noticeKey = ids.derive('agora notice', productId, noticeId, callKey);
  return [{ ...notice, noticeKey, callKey, status: 'waiting', place }];
};
