import { describe, expect, it } from 'vitest';
import type { MessageEvent } from '../session/fold-messages.js';
import { sessionOf } from '../testing/session-of.js';
import { llmRequest, type LlmRequestInput, type LlmRequestOptions } from './llm-request.js';

const NOW = Date.UTC(2026, 0, 1);
const PLAIN: LlmRequestOptions = { times: false, users: false, original: false, interruptable: true };
const agent = { vendor: 'openai', systemMessages: [], params: {} };
const request = (window: readonly MessageEvent[], more: Partial<LlmRequestInput> = {}) =>
  llmRequest({ agent, window, memory: '', options: PLAIN, nowMs: NOW, ...more });
const contents = (window: readonly MessageEvent[], options: Partial<LlmRequestOptions>) =>
  request(window, { options: { ...PLAIN, ...options } }).messages.map((message) => message['content']);

describe('the request to a standard vendor', () => {
  it('contains only role and content, after the system messages', () => {
    const { says } = sessionOf();
    const window = [says('user', 'hi', { turnId: 1, timestamp: 5, metadata: { source: 'asr' } })];
    const systemMessages = [{ role: 'system', content: 'You are helpful.' }];
    expect(request(window, { agent: { ...agent, systemMessages, params: { model: 'm', max_tokens: 7 } } })).toEqual({
      model: 'm',
      max_tokens: 7,
      messages: [
        { role: 'system', content: 'You are helpful.' },
        { role: 'user', content: 'hi' },
      ],
    });
  });

  it('keeps the fields that a tool call requires', () => {
    const { says } = sessionOf();
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const window = [says('assistant', '', { toolCalls: calls }), says('tool', '42', { toolCallId: 'c' })];
    expect(request(window).messages).toEqual([
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', content: '42', tool_call_id: 'c' },
    ]);
  });

  it('normalises the spelling of known roles, and leaves out unknown ones', () => {
    const { says } = sessionOf();
    const window = [says('human', 'hi'), says('AI', 'hello'), says('narrator', 'night falls')];
    expect(request(window).messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]);
  });

  it('takes its messages from the window, whatever the parameters contain', () => {
    const { says } = sessionOf();
    const params = { messages: [{ role: 'user', content: 'planted' }] };
    expect(request([says('user', 'hi')], { agent: { ...agent, params } }).messages).toEqual([
      { role: 'user', content: 'hi' },
    ]);
  });
});

describe('the request to a custom model', () => {
  const custom = { ...agent, vendor: 'custom', params: { model: 'xxxx' } };

  it('contains every field, with turn and timestamp of the newest message', () => {
    const { says } = sessionOf();
    const window = [
      says('user', 'hi', { turnId: 3, timestamp: 1678905235, metadata: { source: 'asr', user: 'user123' } }),
      says('assistant', 'hello', { extra: { speech_start_ms: 1 } }),
    ];
    expect(request(window, { agent: custom })).toEqual({
      model: 'xxxx',
      turn_id: 3,
      timestamp: 1678905235,
      interruptable: true,
      messages: [
        {
          role: 'user',
          content: 'hi',
          turn_id: 3,
          timestamp: 1678905235,
          metadata: { source: 'asr', user: 'user123' },
        },
        { role: 'assistant', content: 'hello', speech_start_ms: 1 },
      ],
    });
  });

  it('contains the time of the request if no message has a timestamp', () => {
    const options = { ...PLAIN, interruptable: false };
    expect(request([], { agent: custom, options })).toEqual({
      model: 'xxxx',
      messages: [],
      timestamp: NOW,
      interruptable: false,
    });
  });
});

describe('options of the request', () => {
  const { says } = sessionOf();
  const cut = { interrupted: true, original: 'Why did the scarecrow win?', source: 'llm' };
  const window = [
    says('user', 'A joke?', { timestamp: 1678901235, metadata: { user: 'user123' } }),
    says('assistant', 'Why did', { timestamp: 1678901236000, metadata: cut }),
  ];

  it('prefix the content with the time, recognising seconds', () => {
    expect(contents(window, { times: true })).toEqual([
      '[2023-03-15T17:27:15.000Z] A joke?',
      '[2023-03-15T17:27:16.000Z] Why did',
    ]);
    const stampless = [says('user', 'now'), says('user', 'never', { timestamp: 1e300 })];
    expect(contents(stampless, { times: true })).toEqual([
      '[2026-01-01T00:00:03.000Z] now',
      '[2026-01-01T00:00:04.000Z] never',
    ]);
  });

  it("prefix user content with the speaker's name, else with the platform's user id", () => {
    expect(contents(window, { users: true })).toEqual(['user123: A joke?', 'Why did']);
    expect(contents(window, { users: true, times: true })[0]).toBe('[2023-03-15T17:27:15.000Z] user123: A joke?');
    const named = [says('user', 'A joke?', { metadata: { speaker: 'Ana', user: 'user123' } }), says('user', 'Please.')];
    expect(contents(named, { users: true })).toEqual(['Ana: A joke?', 'Please.']);
  });

  it('use the generated text of interrupted messages', () => {
    expect(contents(window, { original: true })).toEqual(['A joke?', 'Why did the scarecrow win?']);
  });
});

describe('injected long-term memory', () => {
  it('comes after the system messages and before the window, as one message', () => {
    const { says } = sessionOf();
    const systemMessages = [{ role: 'system', content: 'You are helpful.' }];
    const memory = '<memory>\n[1] Lives in Hue.\n</memory>';
    const { messages } = request([says('user', 'hi')], { agent: { ...agent, systemMessages }, memory });
    expect(messages).toEqual([...systemMessages, { role: 'system', content: memory }, { role: 'user', content: 'hi' }]);
  });

  it('is absent if nothing is remembered', () => {
    const { says } = sessionOf();
    expect(request([says('user', 'hi')], { memory: '' }).messages).toEqual([{ role: 'user', content: 'hi' }]);
  });
});
