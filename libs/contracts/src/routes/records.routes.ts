import { z } from 'zod';
import {
  batchCreateRecordsBody,
  correctRecordBody,
  generateFromContentBody,
  generateFromContentQuery,
  generateFromSessionQuery,
  insertRecordsBody,
  listRecordsQuery,
  namespaceQuery,
  searchRecordsBody,
  searchRecordsQuery,
} from '../http/records.js';
import { acceptedView, extractionView, insertedRecordsView, recordView } from '../http/record-views.js';
import { listQuery, uuid } from '../http/common.js';
import { listOf } from '../http/paging.js';
import { deleteRecordsBody, recordDeletionView } from '../http/record-deletions.js';
import { route } from './route.js';

const tag = 'Records';
const records = '/memory/memories/{memoryId}/memory-records';

export const listRecords = route({
  id: 'listRecords',
  method: 'GET',
  path: records,
  tag,
  summary: 'List records, newest first.',
  scope: 'memory:read',
  query: listRecordsQuery,
  status: 200,
  response: z.array(recordView),
  refusals: ['memory.not_caught_up', 'extraction.window_parked'],
});

export const getRecord = route({
  id: 'getRecord',
  method: 'GET',
  path: `${records}/{recordId}`,
  tag,
  summary: 'Get a record.',
  scope: 'memory:read',
  status: 200,
  response: recordView,
  refusals: ['record.not_found'],
});

export const correctRecord = route({
  id: 'correctRecord',
  method: 'PATCH',
  path: `${records}/{recordId}`,
  tag,
  summary: "Correct a record's text.",
  scope: 'memory:write',
  body: correctRecordBody,
  status: 200,
  response: recordView,
  refusals: ['record.not_found', 'record.exists'],
});

export const deleteRecord = route({
  id: 'deleteRecord',
  method: 'DELETE',
  path: `${records}/{recordId}`,
  tag,
  summary: 'Delete a record. Records it superseded become current again.',
  scope: 'memory:write',
  status: 200,
  response: null,
  refusals: ['record.not_found'],
});

export const insertRecords = route({
  id: 'insertRecords',
  method: 'POST',
  path: `${records}:insert-directly`,
  tag,
  summary: 'Insert facts into a namespace; the body may also be the bare list. Facts that exist are not duplicated.',
  scope: 'memory:write',
  query: namespaceQuery,
  body: insertRecordsBody,
  status: 200,
  response: insertedRecordsView,
});

export const batchCreateRecords = route({
  id: 'batchCreateRecords',
  method: 'POST',
  path: `${records}:batch-create`,
  tag,
  summary: 'Insert facts into several namespaces, all or none.',
  scope: 'memory:write',
  body: batchCreateRecordsBody,
  status: 200,
  response: insertedRecordsView,
  refusals: ['strategy.not_found'],
});

export const searchRecords = route({
  id: 'searchRecords',
  method: 'POST',
  path: `${records}:search`,
  tag,
  summary: "Search a namespace's records, best first.",
  scope: 'memory:read',
  query: searchRecordsQuery,
  body: searchRecordsBody,
  status: 200,
  response: z.array(recordView),
  refusals: ['memory.not_caught_up', 'extraction.window_parked'],
});

export const generateFromSession = route({
  id: 'generateFromSession',
  method: 'POST',
  path: `${records}:generate-from-session`,
  tag,
  summary: 'Extract a session for one strategy now. Accepted; the records follow.',
  scope: 'memory:write',
  query: generateFromSessionQuery,
  status: 200,
  response: acceptedView,
  refusals: ['strategy.not_found', 'session.not_found'],
});

export const generateFromContent = route({
  id: 'generateFromContent',
  method: 'POST',
  path: `${records}:generate-from-content`,
  tag,
  summary: 'Extract submitted messages that belong to no session for one strategy. Accepted; the records follow.',
  scope: 'memory:write',
  query: generateFromContentQuery,
  body: generateFromContentBody,
  status: 200,
  response: acceptedView,
  refusals: ['strategy.not_found', 'strategy.disabled', 'strategy.namespace_needs'],
});

export const getExtraction = route({
  id: 'getExtraction',
  method: 'GET',
  path: '/v1/memories/{memoryId}/extraction',
  tag,
  summary: "Get a memory's extraction progress, up to the time of this request.",
  scope: 'memory:read',
  status: 200,
  response: extractionView,
});

const deletions = '/v1/memories/{memoryId}/record-deletions';

export const deleteRecords = route({
  id: 'deleteRecords',
  method: 'POST',
  path: deletions,
  tag,
  summary: 'Delete all records that match a filter, superseded ones included. Accepted; the worker deletes them.',
  scope: 'memory:write',
  body: deleteRecordsBody,
  status: 202,
  location: `${deletions}/{id}`,
  response: recordDeletionView,
  refusals: ['record_deletion.too_many'],
});

export const listRecordDeletions = route({
  id: 'listRecordDeletions',
  method: 'GET',
  path: deletions,
  tag,
  summary: 'List deletions of many records from the last 30 days, newest first.',
  scope: 'memory:read',
  query: listQuery.extend({ after: uuid.optional().describe('`next` of the previous page.') }),
  status: 200,
  response: listOf(recordDeletionView),
});

export const getRecordDeletion = route({
  id: 'getRecordDeletion',
  method: 'GET',
  path: `${deletions}/{deletionId}`,
  tag,
  summary: 'Get the progress of a deletion of many records.',
  scope: 'memory:read',
  status: 200,
  response: recordDeletionView,
  refusals: ['record_deletion.not_found'],
});
