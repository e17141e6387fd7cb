import { buildContextBody, memoryContextView } from '../http/context.js';
import { routesOf } from './route.js';

const route = routesOf('Events');

export const buildContext = route('buildContext', 'POST', '/memory/memories/{memoryId}/actors/{actorId}/context', {
  summary: 'Build a context block of earlier turns and records for a model, within a token budget.',
  scope: 'memory:read',
  body: buildContextBody,
  response: memoryContextView,
});
