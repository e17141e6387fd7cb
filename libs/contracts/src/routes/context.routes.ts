import { buildContextBody, memoryContextView } from '../http/context.js';
import { route } from './route.js';

export const buildContext = route({
  id: 'buildContext',
  method: 'POST',
  path: '/memory/memories/{memoryId}/actors/{actorId}/context',
  tag: 'Events',
  summary: 'Gives the block of earlier turns and records to put before a model, within a budget of tokens.',
  scope: 'memory:read',
  body: buildContextBody,
  status: 200,
  response: memoryContextView,
});
