import { eventNoticeMessage } from '../events/event-notice.js';
import { SchemaCollector, type JsonSchema } from './schemas.js';

const SCHEMA_FORMAT = 'application/schema+json;version=draft-07';

/** The JetStream messages as an AsyncAPI 3 document. Deterministic. */
export const asyncApiDocument = (): JsonSchema => {
  const schemas = new SchemaCollector();
  schemas.add(eventNoticeMessage);
  const [notice] = Object.values(schemas.components());
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Turnkeeper events',
      version: '1',
      description:
        'Notices of appended events on NATS JetStream, stream `TURNKEEPER_EVENTS` unless configured otherwise. Delivery is ' +
        'at least once and in order for each memory; positions tell repeats. Notices carry ids and no content: read the ' +
        'events with the HTTP API.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'Events', description: 'Facts of the log.' }],
    },
    defaultContentType: 'application/json',
    servers: {
      nats: {
        host: 'localhost:4222',
        protocol: 'nats',
        description: 'The server of `NATS_URL`.',
        tags: [{ name: 'Events', description: 'Facts of the log.' }],
      },
    },
    channels: {
      memoryEvents: {
        address: 'tk.{tenantId}.{memoryId}.events',
        title: 'Events of a memory',
        description: 'One subject per memory. `tk.*.*.events` hears of every memory.',
        servers: [{ $ref: '#/servers/nats' }],
        parameters: {
          tenantId: { description: 'The tenant. Characters other than letters, digits, `-` and `_` are `=XX`.' },
          memoryId: { description: 'The memory.' },
        },
        messages: { eventNotice: { $ref: '#/components/messages/eventNotice' } },
      },
    },
    operations: {
      publishMemoryEvents: {
        action: 'send',
        channel: { $ref: '#/channels/memoryEvents' },
        title: 'Publish events of a memory',
        summary: 'Sent after the events are committed, by the relay of one ingest process.',
        messages: [{ $ref: '#/channels/memoryEvents/messages/eventNotice' }],
      },
    },
    components: {
      messages: {
        eventNotice: {
          name: 'eventNotice',
          title: 'Events were appended',
          summary: 'References to events of one memory that are neighbours in the log.',
          contentType: 'application/json',
          headers: {
            type: 'object',
            properties: {
              'Nats-Msg-Id': { type: 'string', description: 'The same for a repeat of the same notice.' },
            },
          },
          payload: { schemaFormat: SCHEMA_FORMAT, schema: notice },
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
        },
      },
    },
  };
};
