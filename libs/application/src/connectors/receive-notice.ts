import {
  agoraAgentEvent,
  agoraAgentPayload,
  agoraNotification,
  isZegoFact,
  parseExactJson,
  ZEGO_INSTANCE_CREATED,
  ZEGO_INSTANCE_DELETED,
  zegoCallbackOf,
  type ZegoCallbackBody,
} from '@turnkeeper/contracts';
import {
  agoraPlace,
  NoticeUnreadable,
  zegoCallbackKey,
  zegoPlace,
  zegoSequenceKey,
  type AgoraPlaces,
  type ZegoPlaces,
} from '@turnkeeper/domain';
import type { Ids } from '../ports/clock.port.js';
import type { Connector } from '../ports/connector-store.port.js';
import type { NewNotice, NoticeStore } from '../ports/notice-store.port.js';

/** Channel of the test events that Agora's console sends to verify a URL. */
const AGORA_TEST_CHANNEL = 'test_webhook';
/** Audio of the user's first words. Memory does not need it, so no voice recordings are stored. */
const ZEGO_VOICE = 'UserAudioData';

type Read = Omit<NewNotice, 'connectorId' | 'tenantId' | 'body' | 'stamp'>;
type ConnectorOf<V extends Connector['vendor']> = Extract<Connector, { vendor: V }>;

/**
 * Stores vendors' messages with a valid signature. The notice is durable when this resolves and is folded into its
 * session soon after. Unreadable messages are stored as parked, because vendors stop retrying after a few attempts.
 */
export class ReceiveNotice {
  constructor(private readonly deps: { readonly notices: NoticeStore; readonly ids: Ids }) {}

  /** Resolves to true if the notice is new. */
  async agora(connector: ConnectorOf<'agora'>, raw: Uint8Array): Promise<boolean> {
    const read = this.readAgora(decode(raw), connector.places);
    const result = await this.store(connector, { ...read, body: raw, stamp: null });
    return result === 'stored';
  }

  /**
   * @param signed a ZEGOCLOUD signature does not cover the body, so each is accepted once
   * @returns `stamp_used` if the signature was already used by a different message
   */
  zego(
    connector: ConnectorOf<'zegocloud'>,
    raw: Uint8Array,
    body: ZegoCallbackBody,
    signed: { readonly signature: string },
  ): Promise<'stored' | 'duplicate' | 'stamp_used'> {
    return this.store(connector, {
      ...this.readZego(body, connector.places),
      body: body.Event === ZEGO_VOICE ? null : raw,
      stamp: signed.signature,
    });
  }

  private store(connector: Connector, notice: Omit<NewNotice, 'connectorId' | 'tenantId'>) {
    const { connectorId, tenantId } = connector;
    return this.deps.notices.receive({ ...notice, connectorId, tenantId });
  }

  private readAgora(text: string, places: AgoraPlaces): Read {
    const parsed = agoraNotification.safeParse(jsonOf(text));
    if (!parsed.success) return this.unreadable('unknown', text);
    const { noticeId, productId, eventType } = parsed.data;
    const notice = {
      noticeKey: this.deps.ids.derive('agora notice', productId, noticeId),
      eventType: `${productId}/${eventType}`,
    };
    const ignored = { ...notice, callKey: null, status: 'ignored', code: null, place: null } as const;
    if (agoraAgentEvent(parsed.data) === null) return ignored;
    const payload = agoraAgentPayload.safeParse(parsed.data.payload);
    if (!payload.success) return this.unreadable(notice.eventType, text);
    if (payload.data.channel === AGORA_TEST_CHANNEL) return ignored;
    const { agent_id: callKey } = payload.data;
    const place = agoraPlace(places, { agentId: callKey, ...payload.data });
    return { ...notice, callKey, status: 'waiting', code: null, place };
  }

  private readZego(body: ZegoCallbackBody, places: ZegoPlaces): Read {
    const { ids } = this.deps;
    const { Event: eventType, AgentInstanceId: callKey, Sequence, Data } = body;
    if (!isZegoFact(eventType)) {
      const isWanted = eventType === ZEGO_INSTANCE_CREATED || eventType === ZEGO_INSTANCE_DELETED;
      const identity = Sequence === null ? JSON.stringify(Data) : zegoSequenceKey(Sequence);
      const noticeKey = ids.derive('zego notice', callKey, eventType, identity);
      if (!isWanted) return { noticeKey, eventType, callKey: null, status: 'ignored', code: null, place: null };
      return { noticeKey, eventType, callKey, status: 'waiting', code: null, place: null };
    }
    try {
      const callback = zegoCallbackOf(body);
      const key = callback === null ? JSON.stringify(body) : zegoCallbackKey(callback);
      const userId = callback?.event === 'ASRResult' ? callback.userId : null;
      const place = zegoPlace(places, {
        AgentInstanceId: callKey,
        UserId: userId ?? null,
        RoomId: body.RoomId ?? null,
      });
      return { noticeKey: ids.derive('zego notice', key), eventType, callKey, status: 'waiting', code: null, place };
    } catch {
      return this.unreadable(eventType, JSON.stringify([callKey, eventType, Sequence, Data]));
    }
  }

  private unreadable(eventType: string, identity: string): Read {
    const { code } = new NoticeUnreadable();
    return {
      noticeKey: this.deps.ids.derive('unreadable notice', identity),
      eventType,
      callKey: null,
      status: 'parked',
      code,
      place: null,
    };
  }
}

const decode = (raw: Uint8Array): string => new TextDecoder().decode(raw);

const jsonOf = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
};
