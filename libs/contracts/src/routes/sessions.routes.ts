import { z } from 'zod';
import { actorId, cursorQuery, listQuery, sessionId } from '../http/common.js';
import { eventView } from '../http/event-views.js';
import { cursorPageOf, listOf } from '../http/paging.js';
import {
  actorDetailsView,
  actorView,
  erasureKeysView,
  erasureReceiptView,
  recentSessionView,
  sessionDetailsView,
  sessionView,
} from '../http/session-views.js';
import { route } from './route.js';

const actors = '/memory/memories/{memoryId}/actors';
const sessions = `${actors}/{actorId}/sessions` as const;

export const listActors = route({
  id: 'listActors',
  method: 'GET',
  path: actors,
  tag: 'Actors',
  summary: "List a memory's actors by id.",
  scope: 'memory:read',
  query: cursorQuery(100, actorId),
  status: 200,
  response: cursorPageOf(actorView, z.string()),
});

export const getActor = route({
  id: 'getActor',
  method: 'GET',
  path: `${actors}/{actorId}`,
  tag: 'Actors',
  summary: 'Get an actor.',
  scope: 'memory:read',
  status: 200,
  response: actorDetailsView,
  refusals: ['actor.not_found'],
});

export const deleteActor = route({
  id: 'deleteActor',
  method: 'DELETE',
  path: `${actors}/{actorId}`,
  tag: 'Actors',
  summary: 'Erase an actor from this memory: sessions, events, records, agents and pending webhooks.',
  scope: 'memory:write',
  status: 200,
  response: erasureReceiptView,
  refusals: ['actor.not_found'],
});

export const deleteActorEverywhere = route({
  id: 'deleteActorEverywhere',
  method: 'DELETE',
  path: '/v1/actors/{actorId}',
  tag: 'Actors',
  summary: 'Erase an actor from every memory of the tenant.',
  scope: 'memory:write',
  status: 200,
  response: erasureReceiptView.extend({ memories: z.int().describe('Memories in which there was something.') }).meta({
    id: 'ErasureReceiptEverywhere',
  }),
});

export const listErasureKeys = route({
  id: 'listErasureKeys',
  method: 'GET',
  path: '/v1/erasure-keys',
  tag: 'Actors',
  summary: "Get the public keys of erasure receipts as a JWK set. They are the installation's.",
  scope: 'memory:read',
  status: 200,
  response: erasureKeysView,
});

export const listSessions = route({
  id: 'listSessions',
  method: 'GET',
  path: sessions,
  tag: 'Sessions',
  summary: "List an actor's sessions by id.",
  scope: 'memory:read',
  query: cursorQuery(100, sessionId),
  status: 200,
  response: cursorPageOf(sessionView, z.string()),
});

export const listRecentSessions = route({
  id: 'listRecentSessions',
  method: 'GET',
  path: '/v1/memories/{memoryId}/sessions',
  tag: 'Sessions',
  summary: 'List the sessions of a memory or of one actor, most recently active first.',
  scope: 'memory:read',
  query: listQuery.extend({ actorId: actorId.optional().describe('Only sessions of this actor.') }),
  status: 200,
  response: listOf(recentSessionView),
});

export const getSession = route({
  id: 'getSession',
  method: 'GET',
  path: `${sessions}/{sessionId}`,
  tag: 'Sessions',
  summary: 'Get a session.',
  scope: 'memory:read',
  status: 200,
  response: sessionDetailsView,
  refusals: ['session.not_found'],
});

export const deleteSession = route({
  id: 'deleteSession',
  method: 'DELETE',
  path: `${sessions}/{sessionId}`,
  tag: 'Sessions',
  summary: 'Erase a session, and the records whose only sources are in it.',
  scope: 'memory:write',
  status: 200,
  response: erasureReceiptView,
  refusals: ['session.not_found'],
});

export const getEvent = route({
  id: 'getEvent',
  method: 'GET',
  path: `${sessions}/{sessionId}/events/{eventId}`,
  tag: 'Events',
  summary: 'Get an event.',
  scope: 'memory:read',
  status: 200,
  response: eventView,
  refusals: ['event.not_found'],
});

export const deleteEvent = route({
  id: 'deleteEvent',
  method: 'DELETE',
  path: `${sessions}/{sessionId}/events/{eventId}`,
  tag: 'Events',
  summary: 'Erase an event, and the records that cite no other. Its sequence number is not reused.',
  scope: 'memory:write',
  status: 200,
  response: null,
  refusals: ['event.not_found'],
});
