import { describe, expect, it } from 'vitest';
import { decodeZegoBody, zegoCallbackBody, zegoCallbackOf } from './shapes.js';

const interrupted = {
  AppId: 42,
  Event: 'Interrupted',
  Nonce: '771',
  Timestamp: 1_751_000_003_000,
  Signature: 'x',
  AgentInstanceId: '9001',
  RoomId: 'r1',
  Sequence: 17,
  Data: { Round: 5, Reason: 1, PlayedText: 'The depot opens' },
};
const read = (body: object) => zegoCallbackOf(zegoCallbackBody.parse(body));

describe('a ZEGOCLOUD callback', () => {
  it('is parsed into its conversation content', () => {
    const frame = { agentInstanceId: '9001', sequence: '17', timestamp: 1_751_000_003_000 };
    expect(read(interrupted)).toEqual({
      ...frame,
      event: 'Interrupted',
      round: 5,
      reason: 1,
      playedText: 'The depot opens',
    });
    expect(read({ ...interrupted, Event: 'LLMResult', Data: { Round: 5, Text: 'The depot opens at eight.' } })).toEqual(
      {
        ...frame,
        event: 'LLMResult',
        round: 5,
        text: 'The depot opens at eight.',
      },
    );
    expect(read({ ...interrupted, Event: 'ASRResult', Data: { Round: 6, Text: 'When?', UserId: 'u9' } })).toEqual({
      ...frame,
      event: 'ASRResult',
      round: 6,
      text: 'When?',
      userId: 'u9',
    });
  });

  it('keeps every digit of its sequence, given as a number or as text', () => {
    const sequenceOf = (literal: string) =>
      zegoCallbackBody.parse(
        decodeZegoBody(JSON.stringify(interrupted).replace('"Sequence":17', `"Sequence":${literal}`)),
      ).Sequence;
    expect(sequenceOf('8823141512340984513')).toBe('8823141512340984513');
    expect(sequenceOf('"8823141512340984513"')).toBe('8823141512340984513');
    expect(sequenceOf('"007"')).toBe('7');
    expect([sequenceOf('null'), sequenceOf('1.5'), sequenceOf('"x"')]).toEqual([null, null, null]);
  });

  it.each(['AgentInstanceDeleted', 'AgentInstanceStatus', 'AgentSpeakAction', 'UserAudioData', 'WhateverComesNext'])(
    'has no conversation content if it is %s',
    (Event) => expect(read({ ...interrupted, Event, Data: { anything: 1 } })).toBeNull(),
  );

  it('may omit what the examples omit, and contain numbers as text', () => {
    const bare = { ...interrupted, RoomId: undefined, Sequence: undefined, AppId: undefined };
    expect(read({ ...bare, AgentInstanceId: 9001, Nonce: 771, Timestamp: '1751000003', Data: { Round: 5 } })).toEqual({
      agentInstanceId: '9001',
      sequence: null,
      timestamp: 1_751_000_003_000,
      event: 'Interrupted',
      round: 5,
      reason: 0,
      playedText: '',
    });
    expect(read({ ...bare, Event: 'ASRResult', Data: { Round: 1, Text: 'Hi', New: true } })).toMatchObject({
      userId: null,
    });
  });

  it('keeps nonce and timestamp unchanged for the signature', () => {
    expect(zegoCallbackBody.parse({ ...interrupted, Timestamp: '01470820198' })).toMatchObject({
      Nonce: '771',
      Timestamp: '01470820198',
    });
    expect(zegoCallbackBody.parse(interrupted).Timestamp).toBe('1751000003000');
  });

  it('is rejected without its required fields', () => {
    for (const missing of ['Event', 'Nonce', 'Timestamp', 'Signature', 'AgentInstanceId']) {
      expect(zegoCallbackBody.safeParse({ ...interrupted, [missing]: undefined }).success).toBe(false);
    }
    expect(zegoCallbackBody.safeParse({ ...interrupted, AgentInstanceId: '' }).success).toBe(false);
    expect(() => read({ ...interrupted, Data: {} })).toThrow(expect.objectContaining({ code: 'payload.invalid' }));
  });

  it('is decoded from plain or URL-encoded JSON', () => {
    const plain = JSON.stringify({ ...interrupted, Data: { Round: 5, PlayedText: '100 % sure + more' } });
    expect(decodeZegoBody(plain)).toEqual(JSON.parse(plain));
    expect(decodeZegoBody(encodeURIComponent(plain))).toEqual(JSON.parse(plain));
    expect(decodeZegoBody(new URLSearchParams([['', plain]]).toString().slice(1))).toEqual(JSON.parse(plain));
    for (const bad of ['', 'hello', '%7', '%7Boops%7D']) {
      expect(() => decodeZegoBody(bad)).toThrow(expect.objectContaining({ code: 'payload.invalid' }));
    }
  });
});
