import {
  listParkedQuery,
  parkedWindowView,
  replayedView,
  replayParkedBody,
  sessionExtractionView,
} from '../http/extraction.js';
import { listOf } from '../http/paging.js';
import { route } from './route.js';

const tag = 'Extraction';
const parked = '/v1/memories/{memoryId}/extraction/parked';

export const getSessionExtraction = route({
  id: 'getSessionExtraction',
  method: 'GET',
  path: '/v1/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/extraction',
  tag,
  summary: 'Tells how far the strategies have read one session.',
  scope: 'memory:read',
  status: 200,
  response: sessionExtractionView,
  refusals: ['session.not_found'],
});

export const listParkedWindows = route({
  id: 'listParkedWindows',
  method: 'GET',
  path: parked,
  tag,
  summary: 'Lists the windows that were set aside after their tries were used up, oldest first, with the answer.',
  scope: 'memory:read',
  query: listParkedQuery,
  status: 200,
  response: listOf(parkedWindowView),
});

export const replayParkedWindows = route({
  id: 'replayParkedWindows',
  method: 'POST',
  path: `${parked}:replay`,
  tag,
  summary: 'Makes the parked windows of one session due again, or all of the memory.',
  scope: 'memory:write',
  body: replayParkedBody,
  status: 202,
  response: replayedView,
  refusals: ['extraction.not_parked'],
});
