import { z } from 'zod';
import { appendedView, eventView } from '../http/event-views.js';
import { eventBatchBody, idempotencyKey, listEventsParameters, oneEventBody } from '../http/events.js';
import { cursorPageOf } from '../http/paging.js';
import { routesOf } from './route.js';

const route = routesOf('Events');
const path = '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/events';

export const appendEvents = route('appendEvents', 'POST', path, {
  summary: 'Append one event, or up to 1,000 atomically.',
  scope: 'memory:write',
  headers: {
    'Idempotency-Key': idempotencyKey
      .optional()
      .describe('The same key and body again give the first answer, for as long as the event lives.'),
  },
  body: z.union([oneEventBody, eventBatchBody]),
  response: appendedView,
  refusals: ['session.sequence_conflict', 'idempotency.body_differs'],
});

export const listEvents = route('listEvents', 'GET', path, {
  summary: "List a session's events, newest first by default.",
  scope: 'memory:read',
  query: listEventsParameters,
  response: cursorPageOf(eventView, z.int()),
});
