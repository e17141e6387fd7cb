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
  summary: 'Search the turns of a memory, of any actor, best first.',
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
  summary: "Search the turns of an actor's sessions, best first.",
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
  summary: 'Search the turns of a session, best first.',
  scope: 'memory:read',
  body: searchSessionTurnsBody,
  status: 200,
  response: z.array(turnHitView),
  refusals: ['session.not_that_far'],
});
