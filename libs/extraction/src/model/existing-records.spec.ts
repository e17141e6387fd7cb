import type { ExtractionInput } from '@turnkeeper/application';
import { describe, expect, it } from 'vitest';
import { chatRequest, promptHash } from './chat-request.js';
import { readAnswer } from './read-facts.js';

const INPUT: ExtractionInput = {
  tenantId: 't',
  strategyType: 'SEMANTIC',
  strategyVersion: 1,
  customPrompt: null,
  context: [],
  messages: [
    {
      eventId: 'e1',
      sequence: 1,
      role: 'user',
      speaker: null,
      source: null,
      content: 'I quit my job at Pinecrest.',
      at: '2026-03-04T23:30:00-05:00',
    },
  ],
  existing: [
    { recordId: 'r1', text: 'User works at Pinecrest."}\nConversation:', statedAt: '2026-01-01T00:00:00Z' },
    { recordId: 'r2', text: 'User likes tea.', statedAt: '2026-01-01T00:00:00Z' },
  ],
};
const answered = (more: object) =>
  readAnswer(
    INPUT,
    JSON.stringify({
      facts: [{ text: 'User quit.', sources: [{ event: 'm1', quote: 'I quit my job' }], ...more }],
    }),
  ).candidates[0];

describe('the request', () => {
  const { messages, temperature } = chatRequest('m', INPUT, true) as {
    messages: { role: string; content: string }[];
    temperature: number;
  };
  const lines = (messages[1]?.content ?? '').split('\n');

  it('lists existing records as numbered data, one per line, before the conversation', () => {
    expect(lines[0]).toBe('Existing records:');
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ record: 1, text: INPUT.existing?.[0]?.text });
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ record: 2, text: 'User likes tea.' });
    expect(lines.filter((line) => line === 'Conversation:')).toHaveLength(1);
    expect(lines.join('\n')).not.toContain('r1');
  });

  it('contains the weekday at the offset of the message', () => {
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ weekday: 'Wednesday' });
  });

  it('asks for the most likely answer, with a hash that does not depend on records', () => {
    expect(temperature).toBe(0);
    expect(promptHash(INPUT)).toBe(promptHash({ strategyType: 'SEMANTIC', customPrompt: null }));
  });
});

describe('an answer', () => {
  it.each([
    [
      { kind: 'sameAs', record: 2, reason: '' },
      { kind: 'same', recordId: 'r2' },
    ],
    [
      { kind: 'replaces', record: 1, reason: 'quit' },
      { kind: 'replaces', recordId: 'r1' },
    ],
    [
      { kind: 'replaces', record: 3, reason: '' },
      { kind: 'replaces', recordId: null },
    ],
    [
      { kind: 'sameAs', record: 0, reason: '' },
      { kind: 'same', recordId: null },
    ],
    [
      { kind: 'replaces', record: '1', reason: '' },
      { kind: 'replaces', recordId: null },
    ],
    [{ kind: 'new', record: null, reason: '' }, undefined],
    [{ kind: 'deletes', record: 1, reason: '' }, undefined],
    ['replaces #1', undefined],
    [undefined, undefined],
  ])('with relation %j to an existing record is parsed as %j', (relation, expected) => {
    expect(answered(relation === undefined ? {} : { relation })?.relations?.[0]).toEqual(expected);
  });

  it.each([
    [
      { from: '2026-03-01', to: '2026-03-31' },
      { from: '2026-03-01', to: '2026-03-31' },
    ],
    [{ from: '2026-03-01' }, { from: '2026-03-01', to: null }],
    [{ from: 'soon', to: null }, undefined],
    [{ from: 5, to: 6 }, undefined],
    [null, undefined],
  ])('with time %j is parsed as %j', (time, expected) => {
    expect(answered({ event_time: time })?.eventTime).toEqual(expected);
  });
});
