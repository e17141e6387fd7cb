import { describe, expect, it } from 'vitest';
import { agoraContentOf, messageOfContent, type AgoraContent } from './agora-content.js';
import { assertMessage } from './message-rules.js';

/** The data of the example in Agora's guide ("Understand the tech"). */
const GUIDE: readonly AgoraContent[] = [
  {
    role: 'assistant',
    content: 'How can I help you today?',
    turn_id: 1,
    timestamp: 1678901234,
    metadata: { source: 'greeting' },
  },
  {
    role: 'assistant',
    content: 'Why did the scarecrow ',
    turn_id: 2,
    timestamp: 1678901236,
    metadata: {
      interrupted: true,
      interrupt_timestamp: 1678905225,
      original: 'Why did the scarecrow win an award? Because he was outstanding in his field!',
      source: 'llm',
    },
  },
  {
    role: 'user',
    content: 'You know what? Tell me a story instead.',
    turn_id: 3,
    timestamp: 1678905235,
    metadata: { source: 'asr', user: 'user123' },
  },
];

/** Fields from other versions of the format, and OpenAI's. */
const OTHERS: readonly AgoraContent[] = [
  { role: 'user', content: '' },
  { role: 'user', content: '', speech_start_ms: 1751000003000, speech_end_ms: 1751000003150 },
  { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f' } }] },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c2', type: 'function', function: { name: 'f' } }] },
  { role: 'tool', content: '42', tool_call_id: 'c1', name: 'f' },
];

describe("a message in Agora's format", () => {
  for (const content of [...GUIDE, ...OTHERS]) {
    it(`comes out as it went in: ${JSON.stringify(content).slice(0, 60)}`, () => {
      const message = messageOfContent(content);
      assertMessage(message);
      expect(agoraContentOf(message)).toEqual(content);
      expect(agoraContentOf(JSON.parse(JSON.stringify(message)) as typeof message)).toEqual(content);
    });
  }

  it('keeps unknown fields separate from known ones', () => {
    expect(messageOfContent({ role: 'user', content: 'hi', speech_start_ms: 5 })).toEqual({
      payloadType: 'CONVERSATIONAL',
      role: 'user',
      content: 'hi',
      extra: { speech_start_ms: 5 },
    });
  });
});
