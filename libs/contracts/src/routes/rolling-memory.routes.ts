import {
  captureMemoryStateBody,
  memoryStateView,
  restoreBody,
  restoreQuery,
  restoreView,
  rollingStateView,
} from '../http/rolling-memory.js';
import { route } from './route.js';

const tag = 'Rolling memory';

export const captureMemoryState = route({
  id: 'captureMemoryState',
  method: 'PUT',
  path: '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/memory-state',
  tag,
  summary: 'Store the memory state that a realtime client received. Repeats and older versions change nothing.',
  scope: 'memory:write',
  body: captureMemoryStateBody,
  status: 200,
  response: memoryStateView,
});

export const getMemoryState = route({
  id: 'getMemoryState',
  method: 'GET',
  path: '/memory/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/memory-state',
  tag,
  summary: "Get a session's rolling memory, as the SUMMARY strategy maintains it.",
  scope: 'memory:read',
  status: 200,
  response: rollingStateView,
  refusals: ['session.not_found', 'strategy.no_summary'],
});

export const restoreActor = route({
  id: 'restoreActor',
  method: 'GET',
  path: '/v1/actors/{actorId}/restore',
  tag,
  summary: "Build the realtime messages that restore the user's memory in a new session.",
  scope: 'memory:read',
  query: restoreQuery,
  status: 200,
  response: restoreView,
});

export const restoreActorFromBody = route({
  id: 'restoreActorFromBody',
  method: 'POST',
  path: '/v1/actors/{actorId}/restore',
  tag,
  summary: 'Build the same messages from a body, for long instructions.',
  scope: 'memory:read',
  body: restoreBody,
  status: 200,
  response: restoreView,
});
