import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { InvalidPayload, parseOrRefuse } from '../invalid-payload.js';
import { startAgentBody, stopAgentBody } from './agents.js';
import { eventBatchBody, idempotencyKey, listEventsParameters, oneEventBody } from './events.js';
import { createMemoryBody } from './memories.js';
import { batchCreateRecordsBody, listRecordsQuery, searchRecordsBody } from './records.js';
import { createWebhookEndpointBody } from './webhook-endpoints.js';

const ID = '018f0000-0000-7000-8000-00000000000a';
const NO_ID = 'not-a-uuid';
const message = (text: string) => ({ payload: { type: 'CONVERSATIONAL', role: 'user', message: text } });
const event = message('hello');
const memory = { name: 'support' };
const strategy = { name: 'facts', type: 'SEMANTIC' };
const withStrategy = (more: object) => ({ ...memory, longTermMemoryStrategies: [{ ...strategy, ...more }] });
const agent = { memoryId: ID, actorId: 'ada', sessionId: 'monday', name: 'support' };
const endpoint = { url: 'https://example.com/hook' };
/** An object with this many levels of nesting. */
const deep = (levels: number): object => (levels === 1 ? {} : { next: deep(levels - 1) });

/** A rule in plain words, none of them the validator's own. */
const FOR_PEOPLE = /^(?!.*(invalid|expected|received|undefined|NaN|match))(must|may|is|has|requires|contains|or) /i;

const fieldsAtFault = (schema: z.ZodType, input: unknown): string[] => {
  try {
    parseOrRefuse('body', schema, input);
  } catch (error) {
    if (error instanceof InvalidPayload) {
      for (const { rule } of error.issues) expect(rule).toMatch(FOR_PEOPLE);
      return error.issues.map(({ field }) => field);
    }
    throw error;
  }
  return [];
};

describe('accepts values at the limit', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['100,000 characters', oneEventBody, message('x'.repeat(100_000))],
    ['an empty message', oneEventBody, message('')],
    ['a line break in a message', oneEventBody, message('a\r\n\tb')],
    ['bytes', oneEventBody, { payload: { type: 'BINARY', binaryData: 'aGVsbG8=' } }],
    ['no bytes', oneEventBody, { payload: { type: 'BINARY', binaryData: '' } }],
    [
      'everything about an event',
      oneEventBody,
      {
        ...event,
        eventTimestamp: '2023-05-08T13:56:00.123+02:00',
        eventId: ID,
        turnId: -1,
        timestamp: 0,
        expectedSequence: 0,
        metadata: { a: [{ b: null }] },
      },
    ],
    ['metadata of 200 kB', oneEventBody, { ...event, metadata: { blob: 'x'.repeat(200_000) } }],
    ['an actor of three dots', startAgentBody, { ...agent, actorId: '...' }],
    ['metadata of 16 levels', oneEventBody, { ...event, metadata: deep(16) }],
    ['10 MiB of bytes', oneEventBody, { payload: { type: 'B', binaryData: 'aGk+'.repeat(3_495_254) } }],
    ['1,000 events', eventBatchBody, { events: Array(1_000).fill(event), expectedSequence: 3 }],
    ['event ids that differ', eventBatchBody, { events: [{ ...event, eventId: ID }, event, event] }],
    ['a key of 255 signs', idempotencyKey, '~'.repeat(255)],
    ['the deepest page', listEventsParameters, { page: '51', size: '100' }],
    [
      'a memory with ten strategies',
      createMemoryBody,
      { ...memory, longTermMemoryStrategies: Array(10).fill(strategy) },
    ],
    ['an empty name of a memory', createMemoryBody, { name: '' }],
    ['365 days', createMemoryBody, { ...memory, eventExpiryDuration: 365 }],
    ['a template of 50 signs', createMemoryBody, withStrategy({ namespaceTemplate: '/'.repeat(50) })],
    ['a custom prompt', createMemoryBody, withStrategy({ type: 'CUSTOM', customFactExtractionPrompt: 'Only pets.' })],
    ['a search with the least limit', searchRecordsBody, { query: 'tea', limit: 5, scoreThreshold: 1 }],
    ['an agent with 1,024 messages', startAgentBody, { ...agent, maxHistory: 1_024 }],
    ['an actor of 255 characters', startAgentBody, { ...agent, actorId: '🌊'.repeat(127) + 'x' }],
  ])('%s', (_, schema, input) => {
    expect(fieldsAtFault(schema, input)).toEqual([]);
  });
});

describe('rejects values beyond the limit, naming the field', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a guessable secret of an endpoint', createWebhookEndpointBody, { ...endpoint, secret: '1234567' }, 'secret'],
    ['100,001 characters', oneEventBody, message('x'.repeat(100_001)), 'payload.message'],
    ['metadata of 2 MB', oneEventBody, { ...event, metadata: { blob: 'x'.repeat(2_000_000) } }, 'metadata'],
    ['an empty list of tool calls', oneEventBody, { ...event, toolCalls: [] }, 'toolCalls'],
    ['an actor that is a step of a path', startAgentBody, { ...agent, actorId: '..' }, 'actorId'],
    ['a session that is a step of a path', startAgentBody, { ...agent, sessionId: '.' }, 'sessionId'],
    ['a NUL', oneEventBody, message('a\0'), 'payload.message'],
    ['a message that is no text', oneEventBody, { payload: { ...event.payload, message: 7 } }, 'payload.message'],
    ['neither message nor bytes', oneEventBody, { payload: { type: 'X' } }, 'payload.message'],
    ['both message and bytes', oneEventBody, { payload: { ...event.payload, binaryData: 'aGk=' } }, 'payload.message'],
    ['a message without a role', oneEventBody, { payload: { type: 'X', message: 'hi' } }, 'payload.role'],
    ['no payload', oneEventBody, {}, 'payload'],
    ['base64 without its end', oneEventBody, { payload: { type: 'B', binaryData: 'aGVsbG8' } }, 'payload.binaryData'],
    ['URL-safe base64', oneEventBody, { payload: { type: 'B', binaryData: '_-8=' } }, 'payload.binaryData'],
    ['an unknown field', oneEventBody, { ...event, speaker: 'me' }, 'speaker'],
    ['a day that is none', oneEventBody, { ...event, eventTimestamp: '2023-02-29T00:00:00Z' }, 'eventTimestamp'],
    ['a date without a time', oneEventBody, { ...event, eventTimestamp: '2023-02-28' }, 'eventTimestamp'],
    ['a time in the year 0', oneEventBody, { ...event, eventTimestamp: '0000-01-01T00:00:00Z' }, 'eventTimestamp'],
    [
      'a time before the year 1',
      oneEventBody,
      { ...event, eventTimestamp: '0001-01-01T00:00:00+01:00' },
      'eventTimestamp',
    ],
    ['a zone 16 hours away', oneEventBody, { ...event, eventTimestamp: '2026-01-01T00:00:00+16:00' }, 'eventTimestamp'],
    [
      'base64 with padding within',
      oneEventBody,
      { payload: { type: 'B', binaryData: 'aG==aGk=' } },
      'payload.binaryData',
    ],
    [
      'a namespace of 3,072 bytes',
      batchCreateRecordsBody,
      { records: [{ namespace: 'ế'.repeat(1_024), memory: 'x' }] },
      'records.0.namespace',
    ],
    ['a time without a zone', oneEventBody, { ...event, eventTimestamp: '2023-02-28T00:00:00' }, 'eventTimestamp'],
    ['an id that is none', oneEventBody, { ...event, eventId: NO_ID }, 'eventId'],
    ['half a turn', oneEventBody, { ...event, turnId: 1.5 }, 'turnId'],
    ['a turn beyond all numbers', oneEventBody, { ...event, turnId: 2 ** 53 }, 'turnId'],
    ['metadata that is a list', oneEventBody, { ...event, metadata: [] }, 'metadata'],
    ['metadata of 17 levels', oneEventBody, { ...event, metadata: deep(17) }, 'metadata'],
    ['a NUL in a key', oneEventBody, { ...event, metadata: { a: { 'b\0': 1 } } }, 'metadata'],
    ['no event', eventBatchBody, { events: [] }, 'events'],
    ['1,001 events', eventBatchBody, { events: Array(1_001).fill(event) }, 'events'],
    [
      'an id that is given twice',
      eventBatchBody,
      { events: [{ ...event, eventId: ID }, event, { ...event, eventId: ID.toUpperCase() }] },
      'events.2.eventId',
    ],
    [
      'an expectation within a batch',
      eventBatchBody,
      { events: [{ ...event, expectedSequence: 1 }] },
      'events.0.expectedSequence',
    ],
    ['an expectation below zero', eventBatchBody, { events: [event], expectedSequence: -1 }, 'expectedSequence'],
    ['an empty key', idempotencyKey, '', ''],
    ['a key of 256 signs', idempotencyKey, 'k'.repeat(256), ''],
    ['a key with a letter of another script', idempotencyKey, 'số', ''],
    ['page 0', listEventsParameters, { page: '0' }, 'page'],
    ['a page too deep', listEventsParameters, { page: '52', size: '100' }, 'page'],
    ['101 rows', listEventsParameters, { size: '101' }, 'size'],
    ['a page that is no number', listEventsParameters, { page: 'two' }, 'page'],
    ['an order that is none', listEventsParameters, { order: 'up' }, 'order'],
    ['a misspelt parameter', listEventsParameters, { form: 'x' }, 'form'],
    ['a space in a name', createMemoryBody, { name: 'a b' }, 'name'],
    ['no name', createMemoryBody, {}, 'name'],
    ['no day', createMemoryBody, { ...memory, eventExpiryDuration: 0 }, 'eventExpiryDuration'],
    ['366 days', createMemoryBody, { ...memory, eventExpiryDuration: 366 }, 'eventExpiryDuration'],
    [
      'eleven strategies',
      createMemoryBody,
      { ...memory, longTermMemoryStrategies: Array(11).fill(strategy) },
      'longTermMemoryStrategies',
    ],
    ['a strategy of no kind', createMemoryBody, withStrategy({ type: 'MAGIC' }), 'longTermMemoryStrategies.0.type'],
    [
      'a template of 51 signs',
      createMemoryBody,
      withStrategy({ namespaceTemplate: '/'.repeat(51) }),
      'longTermMemoryStrategies.0.namespaceTemplate',
    ],
    [
      'a space in a template',
      createMemoryBody,
      withStrategy({ namespaceTemplate: '/ ' }),
      'longTermMemoryStrategies.0.namespaceTemplate',
    ],
    [
      'a custom strategy without a prompt',
      createMemoryBody,
      withStrategy({ type: 'CUSTOM', customFactExtractionPrompt: ' ' }),
      'longTermMemoryStrategies.0.customFactExtractionPrompt',
    ],
    ['no question', searchRecordsBody, { query: '' }, 'query'],
    ['a blank question', searchRecordsBody, { query: ' \n' }, 'query'],
    ['a question of 1,001 characters', searchRecordsBody, { query: 'x'.repeat(1_001) }, 'query'],
    ['a limit of 4', searchRecordsBody, { query: 'x', limit: 4 }, 'limit'],
    ['a limit of 201', searchRecordsBody, { query: 'x', limit: 201 }, 'limit'],
    ['metadata that is no object', searchRecordsBody, { query: 'x', sourceMetadata: null }, 'sourceMetadata'],
    ['metadata with a list', searchRecordsBody, { query: 'x', sourceMetadata: { tags: ['a'] } }, 'sourceMetadata'],
    ['metadata that is no JSON', listRecordsQuery, { namespace: '/n', sourceMetadata: '{' }, 'sourceMetadata'],
    ['metadata as a list', listRecordsQuery, { namespace: '/n', sourceMetadata: '["a"]' }, 'sourceMetadata'],
    ['a time for a day', listRecordsQuery, { namespace: '/n', eventTimeTo: '2026-01-01T00:00:00Z' }, 'eventTimeTo'],
    ['a score above 1', searchRecordsBody, { query: 'x', scoreThreshold: 1.01 }, 'scoreThreshold'],
    ['a memory that is none', startAgentBody, { ...agent, memoryId: NO_ID }, 'memoryId'],
    ['an empty actor', startAgentBody, { ...agent, actorId: '' }, 'actorId'],
    ['a session of 256 characters', startAgentBody, { ...agent, sessionId: 's'.repeat(256) }, 'sessionId'],
    ['a line break in an actor', startAgentBody, { ...agent, actorId: 'a\nb' }, 'actorId'],
    ['a window of nothing', startAgentBody, { ...agent, maxHistory: 0 }, 'maxHistory'],
    ['a window of 1,025 messages', startAgentBody, { ...agent, maxHistory: 1_025 }, 'maxHistory'],
    ['101 system messages', startAgentBody, { ...agent, systemMessages: Array(101).fill({}) }, 'systemMessages'],
    ['a reason of 121 characters', stopAgentBody, { reason: 'x'.repeat(121) }, 'reason'],
    ['an endpoint nowhere', createWebhookEndpointBody, {}, 'url'],
    ['no event to tell', createWebhookEndpointBody, { ...endpoint, events: [] }, 'events'],
    ['an event that is none', createWebhookEndpointBody, { ...endpoint, events: ['agent.sneezed'] }, 'events.0'],
    ['a format that is none', createWebhookEndpointBody, { ...endpoint, format: 'xml' }, 'format'],
  ])('%s', (_, schema, input, field) => {
    expect(fieldsAtFault(schema, input)).toContain(field);
  });
});

it('names an empty text once, by one rule', () => {
  expect(fieldsAtFault(searchRecordsBody, { query: '' })).toEqual(['query']);
});

describe('defaults of absent fields', () => {
  it.each<[string, z.ZodType, unknown, object]>([
    [
      'a memory keeps events for 30 days and has no strategy',
      createMemoryBody,
      memory,
      {
        description: '',
        eventExpiryDuration: 30,
        longTermMemoryStrategies: [],
      },
    ],
    [
      'a strategy runs by itself',
      createMemoryBody,
      withStrategy({}),
      {
        longTermMemoryStrategies: [{ ...strategy, enableAutomaticMemoryRecordGeneration: true }],
      },
    ],
    ['a listing begins with the newest ten', listEventsParameters, {}, { page: 1, size: 10, order: 'desc' }],
    [
      'a search gives a hundred, however far-fetched',
      searchRecordsBody,
      { query: 'x' },
      { limit: 100, scoreThreshold: 0 },
    ],
    [
      'an agent hands over 32 messages',
      startAgentBody,
      agent,
      { vendor: 'openai', maxHistory: 32, labels: {}, channel: null },
    ],
    [
      'an endpoint is told of histories in the standard format',
      createWebhookEndpointBody,
      endpoint,
      {
        events: ['agent.history'],
        format: 'standard',
        description: '',
      },
    ],
  ])('%s', (_, schema, input, expected) => {
    expect(parseOrRefuse('body', schema, input)).toMatchObject(expected);
  });
});
