import type { Connector, Ids } from '@turnkeeper/application';
import { describe, expect, it } from 'vitest';
import { foldZegoCallbacks } from './rounds.js';
import { signZegoCallback } from './signature.js';
import { zegocloud } from './index.js';
import { zegoCallbackOf } from './shapes.js';

const SECRET = 'callback secret';
const NOW = 1_745_502_313_000;
const INSTANCE = '1912124734317838336';
const ROUND = 650_459_806;
/** 19 digits, as documented: more than a number holds. The first three examples have neither these fields. */
const SEQUENCE = '8823141512340984513';
const LATER = '"AgentUserId":"agent_user_1","RoomId":"room_1","Sequence":' + SEQUENCE;

/**
 * The example of each event in ZEGOCLOUD's reference ("Receiving callback", 2026-02-05 and 2026-07-17): its fields
 * besides the envelope, its data, and what becomes of it here.
 */
const EXAMPLES: readonly (readonly [event: string, fields: string, data: object, status: string])[] = [
  ['ASRResult', '', { UserId: 'user_1', Round: ROUND, Text: 'Hello' }, 'waiting'],
  ['LLMResult', '', { Round: ROUND, Text: 'Hi there, you look full of energy today.' }, 'waiting'],
  ['Exception', '', { Code: 1001, Message: 'AI Agent general error' }, 'ignored'],
  ['Interrupted', LATER, { Round: ROUND, Reason: 1 }, 'waiting'],
  ['Interrupted', LATER, { Round: ROUND, Reason: 1, PlayedText: 'Hi there,' }, 'waiting'],
  ['UserSpeakAction', LATER, { UserId: 'user_1', Action: 'SPEAK_BEGIN' }, 'ignored'],
  // The deprecated name is still in the example of its successor.
  ['AgentSpeakAction', LATER, { Status: 'LISTENING' }, 'ignored'],
  ['AgentInstanceStatus', LATER, { Status: 'LISTENING', Round: ROUND }, 'ignored'],
  [
    'UserAudioData',
    LATER,
    { UserId: 'user_1', Round: 123_456, SampleRate: 16_000, Format: 'pcm', Audio: 'UklGRg==' },
    'ignored',
  ],
  ['AgentInstanceCreated', LATER, { CreatedTimestamp: 1_745_502_312_982 }, 'waiting'],
  [
    'AgentInstanceDeleted',
    LATER,
    {
      Code: 0,
      DeletedTimestamp: 1_745_502_345_138,
      LatencyData: { LLMTTFT: 613, LLMTPS: 11.493, TTSAudioFirstFrameTime: 783, TotalCost: 1693 },
    },
    'waiting',
  ],
  ['AgentInstanceMetaInfo', LATER, { Round: 123_456, MetaInfo: { action: 'action' } }, 'ignored'],
];

const connector = {
  places: { actorTemplate: '{UserId}', sessionTemplate: '{AgentInstanceId}' },
} as unknown as Connector;
const ids = { derive: (...parts: unknown[]) => parts.join('/') } as unknown as Ids;

/** The callback as ZEGOCLOUD sends it, signed with our secret. */
const received = (event: string, fields: string, data: object, encode = (text: string) => text) => {
  const nonce = '7450395512627324902';
  const Signature = signZegoCallback(SECRET, { timestamp: String(NOW), nonce });
  const body = `{"AppId":1234567,"AgentInstanceId":"${INSTANCE}",${fields === '' ? '' : `${fields},`}"Data":${JSON.stringify(data)},
    "Event":"${event}","Nonce":"${nonce}","Signature":"${Signature}","Timestamp":${NOW}}`;
  const request = { raw: new TextEncoder().encode(encode(body)), headers: {} };
  return zegocloud.connector.verify(request, { secrets: [SECRET], now: new Date(NOW) });
};

describe("the examples of ZEGOCLOUD's reference", () => {
  it.each(EXAMPLES)('%s %s', (event, fields, data, status) => {
    for (const encode of [(text: string) => text, encodeURIComponent]) {
      const verified = received(event, fields, data, encode);
      const { callback } = verified;
      expect(callback).toMatchObject({ AgentInstanceId: INSTANCE, Event: event, Data: data });
      expect(callback.Sequence).toBe(fields === '' ? null : SEQUENCE);
      const [notice, ...more] = zegocloud.connector.read(verified, { connector, ids });
      expect([notice?.status, notice?.eventType, more]).toEqual([status, event, []]);
      expect(notice?.callKey).toBe(status === 'ignored' ? null : INSTANCE);
      expect(notice?.body === null).toBe(event === 'UserAudioData');
    }
  });

  it('make one exchange', () => {
    const newest = EXAMPLES.filter(([event, , data]) => event !== 'Interrupted' || 'PlayedText' in data);
    const facts = newest.flatMap(([event, fields, data]) => {
      const fact = zegoCallbackOf(received(event, fields, data).callback);
      return fact === null ? [] : [fact];
    });
    expect(foldZegoCallbacks(facts)).toMatchObject([
      { role: 'user', content: 'Hello', round: ROUND },
      { role: 'assistant', content: 'Hi there,', round: ROUND },
    ]);
  });
});
