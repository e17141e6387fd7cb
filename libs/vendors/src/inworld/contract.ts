import { lastEventId, routesOf } from '@turnkeeper/contracts';
import { capturedStateView, memoryStateBody, rollingStateView, sessionUpdatedView } from './shapes.js';

const route = routesOf('Rolling memory');
const PATH = '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/memory-state';

export const captureMemoryState = route('captureMemoryState', 'PUT', PATH, {
  summary: 'Store the memory state that a realtime client received. Repeats and older versions change nothing.',
  scope: 'memory:write',
  userData: 'actor',
  body: memoryStateBody,
  response: capturedStateView,
});

export const getMemoryState = route('getMemoryState', 'GET', PATH, {
  summary: "Get a session's rolling memory, as the SUMMARY strategy maintains it.",
  scope: 'memory:read',
  userData: 'actor',
  response: rollingStateView,
  refusals: ['session.not_found', 'strategy.no_summary'],
});

export const followMemoryState = route('followMemoryState', 'GET', `${PATH}/stream`, {
  summary:
    "Follow a session's rolling memory as server-sent events: `session.updated` as Inworld sends it, with the current state " +
    'and whenever its version changes. The comment `up to date` comes every 15 seconds.',
  scope: 'memory:read',
  userData: 'actor',
  headers: {
    'Last-Event-ID': lastEventId
      .optional()
      .describe('The last version received; `EventSource` sends it when it reconnects.'),
  },
  response: sessionUpdatedView,
  responseType: 'text/event-stream',
  refusals: ['tenant.event_streams'],
});
