import { expect, it } from 'vitest';
import { readLines } from './read-lines.js';

const ID = '00000000-0000-4000-8000-0000000000aa';
const memory = { kind: 'memory', format: 1, memoryId: ID, name: 'n', description: '', eventExpiryDuration: 30 };
const event = {
  kind: 'event',
  type: 'message.appended',
  actorId: 'ada',
  sessionId: 's',
  eventId: ID,
  at: '2026-01-02T03:04:05Z',
  data: { payloadType: 'CONVERSATIONAL', role: 'user', content: 'hi' },
};
const read = async (...lines: readonly object[]): Promise<void> => {
  const file = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  for await (const _ of readLines([file] as unknown as AsyncIterable<Buffer>));
};

it.each([
  ['an unknown kind', { ...event, kind: 'strange' }, 'kind', /^must be one of memory, strategy, event, record, /],
  ['an unknown type', { ...event, type: 'message.forged' }, 'type', /^must be one of message\.appended, binary\.app/],
  ['the body of another type', { ...event, type: 'binary.appended' }, 'data.binaryData', /^is required$/],
  ['a wrong body', { ...event, data: { ...event.data, content: 7 } }, 'data.content', /^must be text$/],
  ['another tenant', { ...event, tenantId: ID }, 'tenantId', /^is not a known field$/],
  ['another tenant in the body', { ...event, data: { ...event.data, tenantId: ID } }, 'data.tenantId', /^is not a kn/],
  ['an actor that is no text', { ...event, actorId: 5 }, 'actorId', /^must be text$/],
])('a line with %s is refused by its number, field and rule', async (_, line, field, rule) => {
  const refused = {
    code: 'import.line_invalid',
    details: { field, rule: expect.stringMatching(rule), facts: { line: 3 } },
  };
  await expect(read(memory, event, line)).rejects.toMatchObject(refused);
});

const strategy = {
  kind: 'strategy',
  strategyId: ID,
  name: 'facts',
  type: 'SEMANTIC',
  version: 1,
  namespaceTemplate: '/{actorId}',
  automatic: true,
  customPrompt: null,
  status: 'ACTIVE',
};
const rolling = {
  turnInterval: 5,
  maxFacts: 50,
  maxMemoryLength: 2_000,
  maxTranscriptItems: 32,
  trimAfterSummarize: true,
};

it('a memory and strategies within the limits of the API are read', async () => {
  await expect(read(memory, strategy, { ...strategy, type: 'SUMMARY', rolling })).resolves.toBeUndefined();
});

it.each([
  ['a name with a space', { ...memory, name: 'two words' }, 'name'],
  ['an expiry of 366 days', { ...memory, eventExpiryDuration: 366 }, 'eventExpiryDuration'],
  ['a template with a space', { ...strategy, namespaceTemplate: '/a b' }, 'namespaceTemplate'],
  ['a template of 51 characters', { ...strategy, namespaceTemplate: '/'.repeat(51) }, 'namespaceTemplate'],
  ['an empty template', { ...strategy, namespaceTemplate: '' }, 'namespaceTemplate'],
  ['no prompt for CUSTOM', { ...strategy, type: 'CUSTOM', customPrompt: ' ' }, 'customPrompt'],
  [
    'too many transcript items',
    { ...strategy, rolling: { ...rolling, maxTranscriptItems: 1_001 } },
    'rolling.maxTranscriptItems',
  ],
])('a line with %s is refused as by the API', async (_, line, field) => {
  await expect(read(line)).rejects.toMatchObject({
    code: 'import.line_invalid',
    details: { field, facts: { line: 1 } },
  });
});
