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
  summary: 'Get the extraction progress of a session.',
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
  summary: "List parked extraction windows, oldest first, with the model's last answer.",
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
  summary: 'Retry parked extraction windows of a session, or of the whole memory.',
  scope: 'memory:write',
  body: replayParkedBody,
  status: 202,
  response: replayedView,
  refusals: ['extraction.not_parked'],
});
