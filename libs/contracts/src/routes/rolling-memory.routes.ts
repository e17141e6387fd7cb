import {
  captureMemoryStateBody,
  memoryStateView,
  restoreBody,
  restoreQuery,
  restoreView,
  rollingStateView,
  sessionUpdatedView,
} from '../http/rolling-memory.js';
import { lastEventId } from '../http/events.js';
import { routesOf } from './route.js';

const route = routesOf('Rolling memory');

export const captureMemoryState = route(
  'captureMemoryState',
  'PUT',
  '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/memory-state',
  {
    summary: 'Store the memory state that a realtime client received. Repeats and older versions change nothing.',
    scope: 'memory:write',
    body: captureMemoryStateBody,
    response: memoryStateView,
  },
);

export const getMemoryState = route(
  'getMemoryState',
  'GET',
  '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/memory-state',
  {
    summary: "Get a session's rolling memory, as the SUMMARY strategy maintains it.",
    scope: 'memory:read',
    response: rollingStateView,
    refusals: ['session.not_found', 'strategy.no_summary'],
  },
);

export const followMemoryState = route(
  'followMemoryState',
  'GET',
  '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/memory-state/stream',
  {
    summary:
      "Follow a session's rolling memory as server-sent events: `session.updated` as Inworld sends it, with the state now " +
      'and whenever its version changes. The comment `up to date` comes every 15 seconds.',
    scope: 'memory:read',
    headers: {
      'Last-Event-ID': lastEventId
        .optional()
        .describe('The last version received; sent by `EventSource` after a break.'),
    },
    response: sessionUpdatedView,
    responseType: 'text/event-stream',
    refusals: ['tenant.event_streams'],
  },
);

export const restoreActor = route('restoreActor', 'GET', '/v1/actors/{actorId}/restore', {
  summary: "Build the realtime messages that restore the user's memory in a new session.",
  scope: 'memory:read',
  query: restoreQuery,
  response: restoreView,
});

export const restoreActorFromBody = route('restoreActorFromBody', 'POST', '/v1/actors/{actorId}/restore', {
  summary: 'Build the same messages from a body, for long instructions.',
  scope: 'memory:read',
  body: restoreBody,
  response: restoreView,
});
