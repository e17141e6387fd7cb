import {
  captureMemoryStateBody,
  memoryStateView,
  restoreBody,
  restoreQuery,
  restoreView,
  rollingStateView,
} from '../http/rolling-memory.js';
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
