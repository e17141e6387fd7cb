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
import { routesOf } from './route.js';

const actorRoute = routesOf('Actors');
const sessionRoute = routesOf('Sessions');
const eventRoute = routesOf('Events');
const actors = '/memory/memories/{memoryId}/actors';
const sessions = `${actors}/{actorId}/sessions` as const;

export const listActors = actorRoute('listActors', 'GET', actors, {
  summary: "List a memory's actors by id.",
  scope: 'memory:read',
  query: cursorQuery(100, actorId),
  response: cursorPageOf(actorView, z.string()),
});

export const getActor = actorRoute('getActor', 'GET', `${actors}/{actorId}`, {
  summary: 'Get an actor.',
  scope: 'memory:read',
  response: actorDetailsView,
  refusals: ['actor.not_found'],
});

export const deleteActor = actorRoute('deleteActor', 'DELETE', `${actors}/{actorId}`, {
  summary: 'Erase an actor from this memory: sessions, events, records, agents and pending webhooks.',
  scope: 'memory:delete',
  response: erasureReceiptView,
  refusals: ['actor.not_found'],
});

export const deleteActorEverywhere = actorRoute('deleteActorEverywhere', 'DELETE', '/v1/actors/{actorId}', {
  summary: 'Erase an actor from every memory of the tenant.',
  scope: 'memory:delete',
  response: erasureReceiptView.extend({ memories: z.int().describe('Number of memories that contained data.') }).meta({
    id: 'ErasureReceiptEverywhere',
  }),
});

export const listErasureKeys = actorRoute('listErasureKeys', 'GET', '/v1/erasure-keys', {
  summary: "Get the public keys of erasure receipts as a JWK set. They are the installation's.",
  scope: 'memory:read',
  response: erasureKeysView,
});

export const listSessions = sessionRoute('listSessions', 'GET', sessions, {
  summary: "List an actor's sessions by id.",
  scope: 'memory:read',
  query: cursorQuery(100, sessionId),
  response: cursorPageOf(sessionView, z.string()),
});

export const listRecentSessions = sessionRoute('listRecentSessions', 'GET', '/v1/memories/{memoryId}/sessions', {
  summary: 'List the sessions of a memory or of one actor, most recently active first.',
  scope: 'memory:read',
  query: listQuery.extend({ actorId: actorId.optional().describe('Only sessions of this actor.') }),
  response: listOf(recentSessionView),
});

export const getSession = sessionRoute('getSession', 'GET', `${sessions}/{sessionId}`, {
  summary: 'Get a session.',
  scope: 'memory:read',
  response: sessionDetailsView,
  refusals: ['session.not_found'],
});

export const deleteSession = sessionRoute('deleteSession', 'DELETE', `${sessions}/{sessionId}`, {
  summary: 'Erase a session, and the records whose only sources are in it.',
  scope: 'memory:delete',
  response: erasureReceiptView,
  refusals: ['session.not_found'],
});

export const getEvent = eventRoute('getEvent', 'GET', `${sessions}/{sessionId}/events/{eventId}`, {
  summary: 'Get an event.',
  scope: 'memory:read',
  response: eventView,
  refusals: ['event.not_found'],
});

export const deleteEvent = eventRoute('deleteEvent', 'DELETE', `${sessions}/{sessionId}/events/{eventId}`, {
  summary: 'Erase an event, and the records that cite no other or quote it. Its sequence number is not reused.',
  scope: 'memory:delete',
  response: null,
  refusals: ['event.not_found'],
});
