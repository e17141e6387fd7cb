import { z } from 'zod';
import { appendedView, eventView } from '../http/event-views.js';
import {
  eventBatchBody,
  followEventsParameters,
  idempotencyKey,
  lastEventId,
  listEventsParameters,
  oneEventBody,
} from '../http/events.js';
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
      .describe(
        'Repeating the key with the same body returns the first response, as long as the event exists. If the event was erased, the repeat is refused.',
      ),
  },
  body: z.union([oneEventBody, eventBatchBody]),
  response: appendedView,
  refusals: ['session.sequence_conflict', 'idempotency.body_differs', 'idempotency.content_erased'],
});

export const listEvents = route('listEvents', 'GET', path, {
  summary: "List a session's events, newest first by default.",
  scope: 'memory:read',
  query: listEventsParameters,
  response: cursorPageOf(eventView, z.int()),
});

export const followEvents = route('followEvents', 'GET', `${path}/stream`, {
  summary:
    'Follow a session as server-sent events: the events after a sequence, then every new event. The comment ' +
    '`up to date` follows everything new, and comes every 15 seconds.',
  scope: 'memory:read',
  query: followEventsParameters,
  headers: {
    'Last-Event-ID': lastEventId
      .optional()
      .describe('The last sequence received; `EventSource` sends it when it reconnects.'),
  },
  response: eventView,
  responseType: 'text/event-stream',
  refusals: ['tenant.event_streams'],
});
