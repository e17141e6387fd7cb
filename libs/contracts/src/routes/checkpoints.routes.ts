import {
  batchCheckpointsBody,
  checkpointView,
  deleteThreadQuery,
  getCheckpointQuery,
  putCheckpointBody,
  putCheckpointWritesBody,
  searchCheckpointsBody,
  searchMemoryCheckpointsBody,
  storedCheckpointView,
} from '../http/checkpoints.js';
import { listOf } from '../http/paging.js';
import { route } from './route.js';

const tag = 'Checkpoints';
const memory = '/v1/memories/{memoryId}';
const session = `${memory}/actors/{actorId}/sessions/{sessionId}` as const;

export const putCheckpoint = route({
  id: 'putCheckpoint',
  method: 'POST',
  path: `${session}/checkpoints`,
  tag,
  summary: 'Store a checkpoint of a graph. Repeating it changes nothing.',
  scope: 'memory:write',
  body: putCheckpointBody,
  status: 200,
  response: storedCheckpointView,
});

export const putCheckpointWrites = route({
  id: 'putCheckpointWrites',
  method: 'POST',
  path: `${session}/checkpoints:put-writes`,
  tag,
  summary: "Store a task's writes after a checkpoint, which may arrive later.",
  scope: 'memory:write',
  body: putCheckpointWritesBody,
  status: 200,
  response: storedCheckpointView,
});

export const batchCheckpoints = route({
  id: 'batchCheckpoints',
  method: 'POST',
  path: `${memory}/checkpoints:batch`,
  tag,
  summary: 'Store checkpoints and writes of many sessions in one request. Repeating it changes nothing.',
  scope: 'memory:write',
  body: batchCheckpointsBody,
  status: 204,
  response: null,
});

export const getCheckpoint = route({
  id: 'getCheckpoint',
  method: 'GET',
  path: `${session}/checkpoint`,
  tag,
  summary: 'Get a checkpoint with its values and the writes after it.',
  scope: 'memory:read',
  query: getCheckpointQuery,
  status: 200,
  response: checkpointView,
  refusals: ['checkpoint.not_found'],
});

export const searchCheckpoints = route({
  id: 'searchCheckpoints',
  method: 'POST',
  path: `${session}/checkpoints:search`,
  tag,
  summary: 'Search the checkpoints of a session, newest first.',
  scope: 'memory:read',
  body: searchCheckpointsBody,
  status: 200,
  response: listOf(checkpointView),
});

export const searchMemoryCheckpoints = route({
  id: 'searchMemoryCheckpoints',
  method: 'POST',
  path: `${memory}/checkpoints:search`,
  tag,
  summary: 'Search the checkpoints of a memory, newest first.',
  scope: 'memory:read',
  body: searchMemoryCheckpointsBody,
  status: 200,
  response: listOf(checkpointView),
});

export const deleteSessionCheckpoints = route({
  id: 'deleteSessionCheckpoints',
  method: 'DELETE',
  path: `${session}/checkpoints`,
  tag,
  summary: 'Delete the checkpoints of a session. Its events and records remain.',
  scope: 'memory:write',
  status: 204,
  response: null,
});

export const deleteThreadCheckpoints = route({
  id: 'deleteThreadCheckpoints',
  method: 'DELETE',
  path: `${memory}/checkpoints`,
  tag,
  summary: 'Delete the checkpoints of the sessions with an id, of any actor.',
  scope: 'memory:write',
  query: deleteThreadQuery,
  status: 204,
  response: null,
});
