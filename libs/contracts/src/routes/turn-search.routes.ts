import { z } from 'zod';
import { searchSessionTurnsBody, searchTurnsBody, turnHitView } from '../http/turn-search.js';
import { route } from './route.js';

const tag = 'Events';
const memory = '/memory/memories/{memoryId}';

export const searchMemoryTurns = route({
  id: 'searchMemoryTurns',
  method: 'POST',
  path: `${memory}/events:search`,
  tag,
  summary: 'Searches what was said in a memory, by any actor; best first.',
  scope: 'memory:read',
  body: searchTurnsBody,
  status: 200,
  response: z.array(turnHitView),
});

export const searchActorTurns = route({
  id: 'searchActorTurns',
  method: 'POST',
  path: `${memory}/actors/{actorId}/events:search`,
  tag,
  summary: 'Searches what was said in the sessions of an actor; best first.',
  scope: 'memory:read',
  body: searchTurnsBody,
  status: 200,
  response: z.array(turnHitView),
});

export const searchSessionTurns = route({
  id: 'searchSessionTurns',
  method: 'POST',
  path: `${memory}/actors/{actorId}/sessions/{sessionId}/events:search`,
  tag,
  summary: 'Searches what was said in a session; best first.',
  scope: 'memory:read',
  body: searchSessionTurnsBody,
  status: 200,
  response: z.array(turnHitView),
  refusals: ['session.not_that_far'],
});
