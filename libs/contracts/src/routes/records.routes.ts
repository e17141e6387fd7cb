import { z } from 'zod';
import { generateFromSessionQuery, listRecordsQuery, namespaceQuery, searchRecordsBody } from '../http/records.js';
import { acceptedView, extractionView, recordView } from '../http/record-views.js';
import { route } from './route.js';

const tag = 'Records';
const records = '/memory/memories/{memoryId}/memory-records';

export const listRecords = route({
  id: 'listRecords',
  method: 'GET',
  path: records,
  tag,
  summary: 'Lists records, newest first.',
  scope: 'memory:read',
  query: listRecordsQuery,
  status: 200,
  response: z.array(recordView),
});

export const searchRecords = route({
  id: 'searchRecords',
  method: 'POST',
  path: `${records}:search`,
  tag,
  summary: "Ranks a namespace's records against a query, best first.",
  scope: 'memory:read',
  query: namespaceQuery,
  body: searchRecordsBody,
  status: 200,
  response: z.array(recordView),
});

export const generateFromSession = route({
  id: 'generateFromSession',
  method: 'POST',
  path: `${records}:generate-from-session`,
  tag,
  summary: 'Has a session read for one strategy now; the records follow.',
  scope: 'memory:write',
  query: generateFromSessionQuery,
  status: 200,
  response: acceptedView,
  refusals: ['strategy.not_found', 'session.not_found'],
});

export const getExtraction = route({
  id: 'getExtraction',
  method: 'GET',
  path: '/v1/memories/{memoryId}/extraction',
  tag,
  summary: "Tells how far a memory's strategies have read what was appended before this request.",
  scope: 'memory:read',
  status: 200,
  response: extractionView,
});
