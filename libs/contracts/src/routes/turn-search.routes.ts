import { z } from 'zod';
import { searchSessionTurnsBody, searchTurnsBody, turnHitView } from '../http/turn-search.js';
import { routesOf } from './route.js';

const route = routesOf('Events');
const memory = '/memory/memories/{memoryId}';

export const searchMemoryTurns = route('searchMemoryTurns', 'POST', `${memory}/events:search`, {
  summary: 'Search the turns of a memory, of any actor, best first.',
  scope: 'memory:read',
  body: searchTurnsBody,
  response: z.array(turnHitView),
});

export const searchActorTurns = route('searchActorTurns', 'POST', `${memory}/actors/{actorId}/events:search`, {
  summary: "Search the turns of an actor's sessions, best first.",
  scope: 'memory:read',
  body: searchTurnsBody,
  response: z.array(turnHitView),
});

export const searchSessionTurns = route(
  'searchSessionTurns',
  'POST',
  `${memory}/actors/{actorId}/sessions/{sessionId}/events:search`,
  {
    summary: 'Search the turns of a session, best first.',
    scope: 'memory:read',
    body: searchSessionTurnsBody,
    response: z.array(turnHitView),
    refusals: ['session.not_that_far'],
  },
);
