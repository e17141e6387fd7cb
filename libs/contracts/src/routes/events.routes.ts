import { z } from 'zod';
import { appendedView, eventView } from '../http/event-views.js';
import { eventBatchBody, idempotencyKey, listEventsParameters, oneEventBody } from '../http/events.js';
import { cursorPageOf } from '../http/paging.js';
import { route } from './route.js';

const tag = 'Events';
const path = '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/events';

export const appendEvents = route({
  id: 'appendEvents',
  method: 'POST',
  path,
  tag,
  summary: 'Append one event, or up to 1,000 atomically.',
  scope: 'memory:write',
  headers: {
    'Idempotency-Key': idempotencyKey
      .optional()
      .describe('The same key and body again give the first answer, for as long as the event lives.'),
  },
  body: z.union([oneEventBody, eventBatchBody]),
  status: 200,
  response: appendedView,
  refusals: ['session.sequence_conflict', 'idempotency.body_differs'],
});

export const listEvents = route({
  id: 'listEvents',
  method: 'GET',
  path,
  tag,
  summary: "List a session's events, newest first by default.",
  scope: 'memory:read',
  query: listEventsParameters,
  status: 200,
  response: cursorPageOf(eventView, z.int()),
});
