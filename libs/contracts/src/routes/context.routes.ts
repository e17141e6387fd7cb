import { buildContextBody, memoryContextView } from '../http/context.js';
import { route } from './route.js';

export const buildContext = route({
  id: 'buildContext',
  method: 'POST',
  path: '/memory/memories/{memoryId}/actors/{actorId}/context',
  tag: 'Events',
  summary: 'Build a context block of earlier turns and records for a model, within a token budget.',
  scope: 'memory:read',
  body: buildContextBody,
  status: 200,
  response: memoryContextView,
});
