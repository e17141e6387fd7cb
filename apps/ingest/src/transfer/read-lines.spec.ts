import { expect, it } from 'vitest';
import { BodyBudget } from '../edge/body-budget.js';
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
const MEBIBYTE = 1_048_576;
/** A file as it arrives. */
async function* chunksOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += 65_536) yield await Promise.resolve(file.subarray(at, at + 65_536));
}
const read = async (...lines: readonly object[]): Promise<void> => {
  const file = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  for await (const _ of readLines(chunksOf(file), 'acme', new BodyBudget(MEBIBYTE, MEBIBYTE)));
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

it('long lines count against what a tenant may send at a time, until they are done with', async () => {
  const budget = new BodyBudget(4 * MEBIBYTE, 2 * MEBIBYTE);
  const binaryData = 'AAAA'.repeat(300_000);
  const long = { ...event, type: 'binary.appended', data: { payloadType: 'BINARY', binaryData } };
  const file = Buffer.from([memory, long, event].map((line) => `${JSON.stringify(line)}\n`).join(''));
  const lines = readLines(chunksOf(file), 'acme', budget);
  await lines.next();
  expect(budget.held).toBe(0);
  await lines.next();
  expect(budget.held).toBeGreaterThan(MEBIBYTE);
  const other = readLines(chunksOf(file), 'acme', budget);
  await other.next();
  await expect(other.next()).rejects.toMatchObject({ code: 'tenant.bytes_in_flight' });
  const neighbour = readLines(chunksOf(file), 'globex', budget);
  for await (const _ of neighbour);
  expect((await lines.next()).value).toMatchObject({ line: { eventId: ID } });
  expect(budget.held).toBe(0);
});

it('a line that never ends, or whose reader gives up, leaves nothing counted', async () => {
  const budget = new BodyBudget(4 * MEBIBYTE, 2 * MEBIBYTE);
  const endless = Buffer.alloc(3 * MEBIBYTE, 'x');
  await expect(readLines(chunksOf(endless), 'acme', budget).next()).rejects.toMatchObject({
    code: 'tenant.bytes_in_flight',
  });
  expect(budget.held).toBe(0);
});
