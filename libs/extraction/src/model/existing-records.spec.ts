import type { ExtractionInput } from '@turnkeeper/application';
import { describe, expect, it } from 'vitest';
import { chatRequest, promptHash } from './chat-request.js';
import { renderConversation } from './conversation.js';
import { SYSTEM_PROMPT } from './prompts/system-prompt.js';
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
  const { messages, temperature } = chatRequest('m', INPUT, { useSchema: true, setTemperature: true }) as {
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

  it('contains the day and the weekday at the offset of the message', () => {
    expect(JSON.parse(lines.at(-2) ?? '')).toEqual({ day: '2026-03-04', weekday: 'Wednesday' });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ id: 'm1', time: '23:30' });
  });

  it('repeats no day, time or speaker', () => {
    const [first] = INPUT.messages;
    const said = (sequence: number, at: string, speaker: string | null, role = 'user') => ({
      ...{ ...first!, sequence, at, speaker, role },
      eventId: `e${sequence}`,
      content: 'x',
    });
    const shown = renderConversation({
      ...INPUT,
      existing: [],
      messages: [
        said(1, '2026-03-04T10:00:00Z', 'Mia'),
        said(2, '2026-03-04T10:00:30Z', 'Ann', 'assistant'),
        said(3, '2026-03-05T10:00:00Z', 'Bob', 'assistant'),
      ],
    });
    expect(shown.split('\n')).toEqual([
      'Speakers: {"user":"Mia"}',
      '',
      'Conversation:',
      '{"day":"2026-03-04","weekday":"Wednesday"}',
      '{"id":"m1","role":"user","time":"10:00","text":"x"}',
      '{"id":"m2","role":"assistant","speaker":"Ann","text":"x"}',
      '{"day":"2026-03-05","weekday":"Thursday"}',
      '{"id":"m3","role":"assistant","speaker":"Bob","time":"10:00","text":"x"}',
    ]);
  });

  it('begins with what is the same in all requests, then with that of the strategy', () => {
    const system = (input: ExtractionInput, useSchema: boolean) =>
      (chatRequest('m', input, { useSchema, setTemperature: true }) as { messages: { content: string }[] }).messages[0]!
        .content;
    expect(system(INPUT, true).startsWith(SYSTEM_PROMPT)).toBe(true);
    expect(system({ ...INPUT, strategyType: 'SUMMARY' }, false).startsWith(SYSTEM_PROMPT)).toBe(true);
    expect(system(INPUT, false).startsWith(system(INPUT, true))).toBe(true);
  });

  it('asks for the most likely answer, with a hash that does not depend on records', () => {
    expect(temperature).toBe(0);
    expect(promptHash(INPUT)).toBe(promptHash({ strategyType: 'SEMANTIC', customPrompt: null }));
  });
});

describe('an answer', () => {
  it.each([
    [
      { kind: 'same', record: 2, reason: '' },
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
      { kind: 'same', record: 0, reason: '' },
      { kind: 'same', recordId: null },
    ],
    [
      { kind: 'replaces', record: '1', reason: '' },
      { kind: 'replaces', recordId: 'r1' },
    ],
    [{ kind: 'new', record: null, reason: '' }, undefined],
    [{ kind: 'deletes', record: 1, reason: '' }, undefined],
    ['replaces #1', undefined],
    [undefined, undefined],
  ])('with relation %j to an existing record is parsed as %j', (relation, expected) => {
    expect(answered(relation === undefined ? {} : { relations: relation })?.relations?.[0]).toEqual(expected);
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

  it('with several relations is parsed with all of them', () => {
    const relations = [
      { kind: 'ends', record: 1 },
      { kind: 'another', record: 2 },
    ];
    expect(answered({ relations })?.relations).toEqual([
      { kind: 'ends', recordId: 'r1' },
      { kind: 'another', recordId: 'r2' },
    ]);
  });

  it('is parsed with the details of each fact, without those of the wrong shape', () => {
    const attribute = { name: 'job', value: 'none', single: true };
    const details = { category: 'event', subject: 'Bob', strength: 'weak', attribute };
    expect(answered(details)).toMatchObject(details);
    expect(answered({ attribute: { name: 'seats', value: 4 } })?.attribute).toEqual({
      name: 'seats',
      value: '4',
      single: false,
    });
    const odd = answered({ category: 'gossip', subject: 7, strength: 1, attribute: { name: 'x' } });
    expect(Object.keys(odd ?? {})).toEqual(['text', 'sources']);
  });

  it('names the actor by no subject', () => {
    const [message] = INPUT.messages;
    const input = { ...INPUT, messages: [{ ...message!, speaker: 'Mia Rau' }] };
    const subjectOf = (subject: string) =>
      readAnswer(
        input,
        JSON.stringify({ facts: [{ text: 'X.', subject, sources: [{ event: 'm1', quote: 'I quit' }] }] }),
      ).candidates[0]?.subject;
    expect(['User', 'mia rau', 'Bob'].map(subjectOf)).toEqual([undefined, undefined, 'Bob']);
  });
});
