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
  profileQuery,
  searchRecordsBody,
  searchRecordsQuery,
} from '../http/records.js';
import {
  acceptedView,
  actorProfileView,
  extractionView,
  insertedRecordsView,
  recordView,
} from '../http/record-views.js';
import { listQuery, uuid } from '../http/common.js';
import { listOf } from '../http/paging.js';
import { deleteRecordsBody, recordDeletionView } from '../http/record-deletions.js';
import { routesOf } from './route.js';

const route = routesOf('Records');
const records = '/memory/memories/{memoryId}/memory-records';

export const listRecords = route('listRecords', 'GET', records, {
  summary: 'List records, newest first.',
  scope: 'memory:read',
  query: listRecordsQuery,
  response: z.array(recordView),
  refusals: ['memory.not_caught_up', 'extraction.window_parked'],
});

export const getRecord = route('getRecord', 'GET', `${records}/{recordId}`, {
  summary: 'Get a record.',
  scope: 'memory:read',
  response: recordView,
  refusals: ['record.not_found'],
});

export const getProfile = route('getProfile', 'GET', '/v1/memories/{memoryId}/actors/{actorId}/profile', {
  summary: "Get an actor's current values: one entry per attribute, with the record that states it.",
  scope: 'memory:read',
  query: profileQuery,
  response: actorProfileView,
  refusals: ['memory.not_caught_up', 'extraction.window_parked'],
});

export const correctRecord = route('correctRecord', 'PATCH', `${records}/{recordId}`, {
  summary: "Correct a record's text.",
  scope: 'memory:write',
  body: correctRecordBody,
  response: recordView,
  refusals: ['record.not_found', 'record.exists'],
});

export const deleteRecord = route('deleteRecord', 'DELETE', `${records}/{recordId}`, {
  summary: 'Delete a record. Records it superseded become current again.',
  scope: 'memory:delete',
  response: null,
  refusals: ['record.not_found'],
});

export const insertRecords = route('insertRecords', 'POST', `${records}:insert-directly`, {
  summary: 'Insert facts into a namespace; the body may also be the bare list. Facts that exist are not duplicated.',
  scope: 'memory:write',
  query: namespaceQuery,
  body: insertRecordsBody,
  response: insertedRecordsView,
});

export const batchCreateRecords = route('batchCreateRecords', 'POST', `${records}:batch-create`, {
  summary: 'Insert facts into several namespaces, all or none.',
  scope: 'memory:write',
  body: batchCreateRecordsBody,
  response: insertedRecordsView,
  refusals: ['strategy.not_found'],
});

export const searchRecords = route('searchRecords', 'POST', `${records}:search`, {
  summary: "Search a namespace's records, best first.",
  scope: 'memory:read',
  query: searchRecordsQuery,
  body: searchRecordsBody,
  response: z.array(recordView),
  refusals: ['memory.not_caught_up', 'extraction.window_parked'],
});

export const generateFromSession = route('generateFromSession', 'POST', `${records}:generate-from-session`, {
  summary: 'Extract a session for one strategy now. The records follow asynchronously.',
  scope: 'memory:write',
  query: generateFromSessionQuery,
  response: acceptedView,
  refusals: ['strategy.not_found', 'session.not_found'],
});

export const generateFromContent = route('generateFromContent', 'POST', `${records}:generate-from-content`, {
  summary: 'Extract submitted messages that belong to no session, for one strategy. The records follow asynchronously.',
  scope: 'memory:write',
  query: generateFromContentQuery,
  body: generateFromContentBody,
  response: acceptedView,
  refusals: ['strategy.not_found', 'strategy.disabled', 'strategy.namespace_needs'],
});

export const getExtraction = route('getExtraction', 'GET', '/v1/memories/{memoryId}/extraction', {
  summary: "Get the extraction progress of a memory's strategies.",
  scope: 'memory:read',
  response: extractionView,
});

const deletions = '/v1/memories/{memoryId}/record-deletions';

export const deleteRecords = route('deleteRecords', 'POST', deletions, {
  summary: 'Delete all records that match a filter, including superseded ones. The worker deletes them asynchronously.',
  scope: 'memory:delete',
  body: deleteRecordsBody,
  status: 202,
  location: `${deletions}/{id}`,
  response: recordDeletionView,
  refusals: ['record_deletion.too_many'],
});

export const listRecordDeletions = route('listRecordDeletions', 'GET', deletions, {
  summary: 'List deletions of many records from the last 30 days, newest first.',
  scope: 'memory:read',
  query: listQuery.extend({ after: uuid.optional().describe('`next` of the previous page.') }),
  response: listOf(recordDeletionView),
});

export const getRecordDeletion = route('getRecordDeletion', 'GET', `${deletions}/{deletionId}`, {
  summary: 'Get the progress of a deletion of many records.',
  scope: 'memory:read',
  response: recordDeletionView,
  refusals: ['record_deletion.not_found'],
});
