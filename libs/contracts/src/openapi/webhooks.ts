import { WEBHOOK_EVENTS, type WebhookEvent } from '@turnkeeper/domain';
import { webhookMessageViews } from '../http/webhook-messages.js';
import type { JsonSchema, SchemaCollector } from './schemas.js';

const SUMMARIES: Readonly<Record<WebhookEvent, string>> = {
  'agent.started': 'An agent started.',
  'agent.stopped': 'An agent stopped or failed.',
  'agent.history': 'Everything an agent heard and said, sent when it stops.',
  'records.extracted': 'Records were created or confirmed. Ids only; read their texts with the API.',
  'memory.deleted': 'A memory was deleted.',
  'erasure.completed': 'Data was erased that this endpoint received earlier.',
  'agent.action': "A client asked the agent's speech server to act. Sent only to endpoints that name it.",
  'memory_state.updated': "A session's rolling memory changed. Sent only to endpoints that name it.",
};

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
const HEADERS = [
  header('webhook-id', 'Equal on every attempt; use it to detect repeats.'),
  header('webhook-timestamp', 'Time of this attempt, in seconds since 1970.'),
  header('webhook-signature', '`v1,` and the HMAC-SHA256 in base64; two of them while a secret is being rotated.'),
];

const operationIdOf = (event: string): string =>
  `on${event.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

/** What is sent to endpoints of the format `standard`, as OpenAPI 3.1 webhooks. */
export const webhooksOf = (schemas: SchemaCollector): Record<string, { post: JsonSchema }> =>
  Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => [
      event,
      {
        post: {
          operationId: operationIdOf(event),
          tags: ['Webhooks'],
          summary: SUMMARIES[event],
          description:
            'Delivered at least once, in no particular order. Any 2xx acknowledges it; everything else is retried for a week, ' +
            'except 410, which disables the endpoint.',
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.add(webhookMessageViews[event]) } },
          },
          responses: {
            '2XX': { description: 'Acknowledged.' },
            410: { description: 'Disables the endpoint.' },
          },
        },
      },
    ]),
  );
