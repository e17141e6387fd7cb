import { eventNoticeMessage } from '@turnkeeper/contracts';
import { describe, expect, it } from 'vitest';
import { decodeNotice, encodeNotice, UnreadableMessage } from './event-notice.codec.js';

const event = { position: 7, eventId: 'e7', type: 'message.appended', sessionKey: 3, sequence: 2 } as const;
const notice = {
  tenantId: 't',
  memoryId: 'm',
  events: [event, { ...event, position: 8, sessionKey: null, sequence: null }],
};
const wire = (): Record<string, unknown> => JSON.parse(encodeNotice(notice)) as Record<string, unknown>;

describe('the event notice codec', () => {
  it('decodes what it encoded', () => {
    expect(decodeNotice(wire())).toEqual(notice);
  });

  it('encodes references only', () => {
    const withContent = { ...notice, events: [{ ...event }] };
    expect(encodeNotice(withContent)).toBe(
      '{"v":1,"tenantId":"t","memoryId":"m","events":' +
        '[{"position":7,"eventId":"e7","type":"message.appended","sessionKey":3,"sequence":2}]}',
    );
  });

  it('matches the AsyncAPI document', () => {
    const [tenantId, memoryId, eventId] = ['a', 'b', 'c'].map((end) => `0190a3c2-6f00-7000-8000-00000000000${end}`);
    const sent = { ...notice, tenantId: tenantId!, memoryId: memoryId!, events: [{ ...event, eventId: eventId! }] };
    expect(eventNoticeMessage.safeParse(JSON.parse(encodeNotice(sent))).error).toBeUndefined();
  });

  it.each([
    ['no object', 'text'],
    ['null', null],
    ['a version from the future', { ...wire(), v: 2 }],
    ['no memory', { ...wire(), memoryId: undefined }],
    ['no list', { ...wire(), events: {} }],
    ['a position that is text', { ...wire(), events: [{ ...event, position: '7' }] }],
    ['an event without id', { ...wire(), events: [{ ...event, eventId: undefined }] }],
  ])('throws for %s', (_, value) => {
    expect(() => decodeNotice(value)).toThrow(UnreadableMessage);
  });
});
