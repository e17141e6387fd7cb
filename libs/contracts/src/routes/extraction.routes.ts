import {
  listParkedQuery,
  parkedWindowView,
  replayedView,
  replayParkedBody,
  sessionExtractionView,
} from '../http/extraction.js';
import { listOf } from '../http/paging.js';
import { routesOf } from './route.js';

const route = routesOf('Extraction');
const parked = '/v1/memories/{memoryId}/extraction/parked';

export const getSessionExtraction = route(
  'getSessionExtraction',
  'GET',
  '/v1/memories/{memoryId}/actors/{actorId}/sessions/{sessionId}/extraction',
  {
    summary: 'Get the extraction progress of a session.',
    scope: 'memory:read',
    response: sessionExtractionView,
    refusals: ['session.not_found'],
  },
);

export const listParkedWindows = route('listParkedWindows', 'GET', parked, {
  summary: "List parked extraction windows, oldest first, with the model's last answer.",
  scope: 'memory:read',
  query: listParkedQuery,
  response: listOf(parkedWindowView),
});

export const replayParkedWindows = route('replayParkedWindows', 'POST', `${parked}:replay`, {
  summary: 'Retry parked extraction windows of a session, or of the whole memory.',
  scope: 'memory:write',
  body: replayParkedBody,
  status: 202,
  response: replayedView,
  refusals: ['extraction.not_parked'],
});
