import {
  captureMemoryStateBody,
  memoryStateView,
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
  summary: 'Keeps the memory state that a realtime client received; repeats and older versions change nothing.',
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
  summary: "Gives a session's rolling memory: what the SUMMARY strategy made of it so far.",
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
  summary: 'Gives the realtime messages that make a new session know the user again.',
  scope: 'memory:read',
  query: restoreQuery,
  status: 200,
  response: restoreView,
});
