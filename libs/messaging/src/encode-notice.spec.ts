import { eventNoticeMessage } from '@turnkeeper/contracts';
import { describe, expect, it } from 'vitest';
import { encodeNotice } from './encode-notice.js';

const event = { position: 7, eventId: 'e7', type: 'message.appended', sessionKey: 3, sequence: 2 } as const;
const notice = {
  tenantId: 't',
  memoryId: 'm',
  events: [event, { ...event, position: 8, sessionKey: null, sequence: null }],
};

describe('an encoded notice', () => {
  it('holds references only', () => {
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
});
