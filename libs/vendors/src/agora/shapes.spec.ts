import { messageOfContent } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../shared/exact-json.js';
import { agoraAgentEvent, agoraAgentPayload, agoraContent, agoraNotification } from './shapes.js';

const history = {
  sid: 'S1',
  noticeId: 'n-0001',
  productId: 17,
  eventType: 103,
  notifyMs: 1_751_000_065_000,
  payload: {
    agent_id: 'ag_7',
    name: 'desk-42',
    channel: 'room-9',
    start_ts: 1_751_000_000,
    stop_ts: 1_751_000_060,
    labels: { tenant: 't1', user_id: 'u9' },
    contents: [
      { role: 'assistant', content: 'Hi, Mai here.' },
      { role: 'user', content: 'Where is my parcel?' },
    ],
  },
};

describe('an Agora notification', () => {
  it('is parsed with its history', () => {
    const notification = agoraNotification.parse(history);
    expect(notification).toMatchObject({ noticeId: 'n-0001', sid: 'S1', productId: 17 });
    expect(agoraAgentEvent(notification)).toBe('history');
    expect(agoraAgentPayload.parse(notification.payload)).toEqual(history.payload);
  });

  it('is identified by product and number together', () => {
    const of = (productId: number, eventType: number) =>
      agoraAgentEvent(agoraNotification.parse({ noticeId: 'n', productId, eventType, notifyMs: 1 }));
    expect([of(17, 101), of(17, 102), of(17, 103)]).toEqual(['joined', 'left', 'history']);
    expect([of(1, 103), of(17, 110), of(17, 9999), of(3, 101)]).toEqual([null, null, null, null]);
  });

  it('keeps every digit of a numeric id', () => {
    const raw = JSON.stringify(history).replace('"n-0001"', '8823141512340984513');
    expect(agoraNotification.parse(parseExactJson(raw)).noticeId).toBe('8823141512340984513');
  });

  it('accepts unknown fields, and ignores invalid optional ones', () => {
    const notification = agoraNotification.parse({ ...history, noticeId: 42, sid: null, notifyMs: 'soon', added: {} });
    expect(notification).toMatchObject({ noticeId: '42', added: {} });
    expect([notification.sid, notification.notifyMs]).toEqual([undefined, undefined]);
    const payload = agoraAgentPayload.parse({ agent_id: 'a', labels: 'none', start_ts: '', added: 1 });
    expect(payload).toMatchObject({ agent_id: 'a', contents: [], added: 1 });
    expect([payload.labels, payload.start_ts]).toEqual([undefined, undefined]);
  });

  it.each([
    [{ ...history, noticeId: '' }],
    [{ ...history, noticeId: undefined }],
    [{ ...history, productId: '17' }],
    [{ ...history, payload: 'text' }],
    [[]],
  ])('is rejected without the fields that routing needs: %#', (body) => {
    expect(agoraNotification.safeParse(body).success).toBe(false);
  });

  it('is rejected if its contents are invalid', () => {
    for (const contents of ['x', [1], [{ content: 'no role' }], [{ role: 'user', content: 5 }]]) {
      expect(agoraAgentPayload.safeParse({ agent_id: 'a', contents }).success).toBe(false);
    }
  });
});

describe('an item of its contents', () => {
  it('keeps fields of both format versions, and becomes a message', () => {
    const item = {
      role: 'assistant',
      content: 'Your parcel is',
      turn_id: 0,
      timestamp: 1_751_000_001,
      speech_start_ms: 1_751_000_003_000,
      metadata: { source: 'llm', interrupted: true, original: 'Your parcel is at the depot.' },
    };
    const parsed = agoraContent.parse(item);
    expect(parsed).toEqual(item);
    expect(messageOfContent(parsed)).toMatchObject({ turnId: 0, extra: { speech_start_ms: 1_751_000_003_000 } });
  });

  it('requires only role and content, and ignores invalid fields', () => {
    expect(
      agoraContent.parse({ role: 'user', content: '', turn_id: '', metadata: null, timestamp: 'x' }),
    ).toStrictEqual({
      role: 'user',
      content: '',
    });
    expect(agoraContent.parse({ role: 'user', content: null })).toEqual({ role: 'user', content: '' });
  });
});
