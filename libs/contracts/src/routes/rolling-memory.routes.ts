import { restoreBody, restoreQuery, restoreView } from '../http/rolling-memory.js';
import { routesOf } from './route.js';

const route = routesOf('Rolling memory');

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
