import {
  batchCheckpointsBody,
  checkpointView,
  getCheckpointQuery,
  putCheckpointBody,
  putCheckpointWritesBody,
  searchCheckpointsBody,
  searchMemoryCheckpointsBody,
  storedCheckpointView,
  threadActorView,
  threadQuery,
} from '../http/checkpoints.js';
import { listOf } from '../http/paging.js';
import { routesOf } from './route.js';

const route = routesOf('Checkpoints');
const memory = '/v1/memories/{memoryId}';
const session = `${memory}/actors/{actorId}/sessions/{sessionId}` as const;

export const putCheckpoint = route('putCheckpoint', 'POST', `${session}/checkpoints`, {
  summary: 'Store a checkpoint of a graph. Repeating it changes nothing.',
  scope: 'memory:write',
  body: putCheckpointBody,
  response: storedCheckpointView,
});

export const putCheckpointWrites = route('putCheckpointWrites', 'POST', `${session}/checkpoints:put-writes`, {
  summary: "Store a task's writes after a checkpoint, which may arrive later.",
  scope: 'memory:write',
  body: putCheckpointWritesBody,
  response: storedCheckpointView,
});

export const batchCheckpoints = route('batchCheckpoints', 'POST', `${memory}/checkpoints:batch`, {
  summary: 'Store checkpoints and writes of many sessions in one request. Repeating it changes nothing.',
  scope: 'memory:write',
  body: batchCheckpointsBody,
  status: 204,
  response: null,
});

export const getCheckpoint = route('getCheckpoint', 'GET', `${session}/checkpoint`, {
  summary: 'Get a checkpoint with its values and the writes after it.',
  scope: 'memory:read',
  query: getCheckpointQuery,
  response: checkpointView,
  refusals: ['checkpoint.not_found'],
});

export const searchCheckpoints = route('searchCheckpoints', 'POST', `${session}/checkpoints:search`, {
  summary: 'Search the checkpoints of a session, newest first.',
  scope: 'memory:read',
  body: searchCheckpointsBody,
  response: listOf(checkpointView),
});

export const searchMemoryCheckpoints = route('searchMemoryCheckpoints', 'POST', `${memory}/checkpoints:search`, {
  summary: 'Search the checkpoints of a memory, newest first.',
  scope: 'memory:read',
  body: searchMemoryCheckpointsBody,
  response: listOf(checkpointView),
});

export const deleteSessionCheckpoints = route('deleteSessionCheckpoints', 'DELETE', `${session}/checkpoints`, {
  summary: 'Delete the checkpoints of a session. Its events and records remain.',
  scope: 'memory:delete',
  status: 204,
  response: null,
});

export const deleteThreadCheckpoints = route('deleteThreadCheckpoints', 'DELETE', `${memory}/checkpoints`, {
  summary: 'Delete the checkpoints of the session with an id, which must be of one actor only.',
  scope: 'memory:delete',
  query: threadQuery,
  status: 204,
  response: null,
  refusals: ['thread.actor_ambiguous'],
});

export const getThreadActor = route('getThreadActor', 'GET', `${memory}/checkpoints:actor`, {
  summary: 'Get the only actor that has checkpoints of the session with an id.',
  scope: 'memory:read',
  query: threadQuery,
  response: threadActorView,
  refusals: ['thread.actor_unknown', 'thread.actor_ambiguous'],
});
