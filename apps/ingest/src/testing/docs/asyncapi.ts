import { cloudEvent, eventNoticeMessage, SchemaCollector, type JsonSchema } from '@turnkeeper/contracts';

const SCHEMA_FORMAT = 'application/schema+json;version=draft-07';

const CHANNELS = {
  memoryEvents: {
    address: 'tk.{tenantId}.{memoryId}.events',
    title: 'Events of a memory',
    description: 'One subject per memory. `tk.*.*.events` matches every memory.',
    servers: [{ $ref: '#/servers/nats' }],
    parameters: {
      tenantId: { description: 'The tenant. Characters other than letters, digits, `-` and `_` are `=XX`.' },
      memoryId: { description: 'The memory.' },
    },
    messages: { eventNotice: { $ref: '#/components/messages/eventNotice' } },
  },
  eventContents: {
    address: 'tk_content.{tenantId}.{memoryId}.{noun}.{verb}.{sessionKey}',
    title: 'Events with their content',
    description:
      'Stream `TURNKEEPER_EVENTS_CONTENT`, with `STREAM_CONTENT=full` only. `tk_content.*.*.message.>` matches every ' +
      'message, `tk_content.{tenantId}.>` every event of one tenant.',
    servers: [{ $ref: '#/servers/nats' }],
    parameters: {
      tenantId: { description: 'The tenant. Characters other than letters, digits, `-` and `_` are `=XX`.' },
      memoryId: { description: 'The memory.' },
      noun: { description: 'The first part of the type, such as `message`.' },
      verb: { description: 'The second part of the type, such as `appended`.' },
      sessionKey: { description: 'Internal key of the session; 0 for events outside a session.' },
    },
    messages: { eventContent: { $ref: '#/components/messages/eventContent' } },
  },
};

const OPERATIONS = {
  publishMemoryEvents: {
    action: 'send',
    channel: { $ref: '#/channels/memoryEvents' },
    title: 'Publish events of a memory',
    summary: 'Sent after the events are committed, by the relay of one ingest process.',
    messages: [{ $ref: '#/channels/memoryEvents/messages/eventNotice' }],
  },
  publishEventContents: {
    action: 'send',
    channel: { $ref: '#/channels/eventContents' },
    title: 'Publish events with their content',
    summary: 'Sent after the events are committed, in the order of the log, by one ingest process.',
    messages: [{ $ref: '#/channels/eventContents/messages/eventContent' }],
  },
};

const contentMessage = (schema: JsonSchema | undefined) => ({
  name: 'eventContent',
  title: 'An event was appended',
  summary: 'One event as a CloudEvent 1.0 in structured JSON.',
  contentType: 'application/cloudevents+json',
  headers: {
    type: 'object',
    properties: {
      'Nats-Msg-Id': { type: 'string', description: 'Equal for repeats of the same event.' },
      'Turnkeeper-Position': { type: 'string', description: 'Position in the log.' },
    },
  },
  payload: { schemaFormat: SCHEMA_FORMAT, schema },
  examples: [
    {
      name: 'oneMessage',
      summary: 'A message was appended.',
      payload: {
        specversion: '1.0',
        id: '0190a3c2-6f00-7000-8000-000000000003',
        source: '/tenants/0190a3c2-6f00-7000-8000-000000000001/memories/0190a3c2-6f00-7000-8000-000000000002',
        type: 'turnkeeper.message.appended',
        subject: 'actors/linh/sessions/call-1',
        time: '2026-03-02T10:00:00.000Z',
        datacontenttype: 'application/json',
        dataschema: 'urn:turnkeeper:event:message.appended:1',
        data: { payloadType: 'CONVERSATIONAL', role: 'user', content: 'I moved to Hue last month.' },
        position: '42',
        sequence: '3',
        recordedtime: '2026-03-02T10:00:00.120Z',
      },
    },
  ],
});

const noticeMessage = (schema: JsonSchema | undefined) => ({
  name: 'eventNotice',
  title: 'Events were appended',
  summary: 'References to adjacent events of one memory.',
  contentType: 'application/json',
  headers: {
    type: 'object',
    properties: {
      'Nats-Msg-Id': { type: 'string', description: 'Equal for repeats of the same notice.' },
      'Turnkeeper-Events': {
        type: 'string',
        description: 'The last six characters of the id of each event, for the comparison with the log.',
      },
    },
  },
  payload: { schemaFormat: SCHEMA_FORMAT, schema },
  examples: [
    {
      name: 'oneMessage',
      summary: 'A message was appended.',
      payload: {
        v: 1,
        tenantId: '0190a3c2-6f00-7000-8000-000000000001',
        memoryId: '0190a3c2-6f00-7000-8000-000000000002',
        events: [
          {
            position: 42,
            eventId: '0190a3c2-6f00-7000-8000-000000000003',
            type: 'message.appended',
            sessionKey: 7,
            sequence: 3,
          },
        ],
      },
    },
  ],
});

/** The JetStream messages as an AsyncAPI 3 document. Deterministic. */
export const asyncApiDocument = (): JsonSchema => {
  const schemas = new SchemaCollector();
  schemas.add(eventNoticeMessage);
  schemas.add(cloudEvent);
  const { CloudEvent: content, EventNotice: notice } = schemas.components();
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Turnkeeper events',
      version: '1',
      description:
        'Notices of appended events on NATS JetStream, stream `TURNKEEPER_EVENTS` unless configured otherwise. Delivery is ' +
        'at least once and in order for each memory; use positions to detect repeats. Notices carry ids and no content: read the ' +
        'events with the HTTP API, or set `STREAM_CONTENT=full` and subscribe to the second stream, which has each event as a ' +
        'CloudEvent.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'Events', description: 'Events of the log.' }],
    },
    defaultContentType: 'application/json',
    servers: {
      nats: {
        host: 'localhost:4222',
        protocol: 'nats',
        description: 'The server of `NATS_URL`.',
        tags: [{ name: 'Events', description: 'Events of the log.' }],
      },
    },
    channels: CHANNELS,
    operations: OPERATIONS,
    components: { messages: { eventContent: contentMessage(content), eventNotice: noticeMessage(notice) } },
  };
};
