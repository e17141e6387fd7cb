import { z } from 'zod';
import { pageQuery } from '../http/common.js';
import { changeMemoryBody, changeStrategyBody, createMemoryBody, strategyBody } from '../http/memories.js';
import { createdMemoryView, memoryView, strategyView } from '../http/memory-views.js';
import { pageOf } from '../http/paging.js';
import { deletedStrategyView, deleteStrategyQuery } from '../http/record-deletions.js';
import { usageView } from '../http/session-views.js';
import { route } from './route.js';

const tag = 'Memories';

export const createMemory = route({
  id: 'createMemory',
  method: 'POST',
  path: '/memory/memories',
  tag,
  summary: 'Create a memory with its strategies.',
  scope: 'memory:write',
  body: createMemoryBody,
  status: 200,
  location: '/memory/memories/{id}',
  response: createdMemoryView,
  refusals: ['strategy.unknown_namespace_variable'],
});

export const listMemories = route({
  id: 'listMemories',
  method: 'GET',
  path: '/memory/memories',
  tag,
  summary: 'List memories, newest first.',
  scope: 'memory:read',
  query: pageQuery(100),
  status: 200,
  response: pageOf(memoryView),
});

export const getMemory = route({
  id: 'getMemory',
  method: 'GET',
  path: '/memory/memories/{memoryId}',
  tag,
  summary: 'Get a memory.',
  scope: 'memory:read',
  status: 200,
  versioned: true,
  response: memoryView,
});

export const changeMemory = route({
  id: 'changeMemory',
  method: 'PATCH',
  path: '/memory/memories/{memoryId}',
  tag,
  summary: "Update a memory's name, description and event expiry; the expiry of existing events only on request.",
  scope: 'memory:write',
  body: changeMemoryBody,
  status: 200,
  versioned: true,
  response: memoryView,
});

export const deleteMemory = route({
  id: 'deleteMemory',
  method: 'DELETE',
  path: '/memory/memories/{memoryId}',
  tag,
  summary: 'Delete a memory with everything in it. This cannot be undone.',
  scope: 'memory:write',
  status: 200,
  response: null,
});

export const getUsage = route({
  id: 'getUsage',
  method: 'GET',
  path: '/memory/memories/{memoryId}/usage',
  tag,
  summary: "Count a memory's actors, sessions, events and records.",
  scope: 'memory:read',
  status: 200,
  response: usageView,
});

export const listStrategies = route({
  id: 'listStrategies',
  method: 'GET',
  path: '/memory/memories/{memoryId}/long-term-memory-strategies',
  tag: 'Strategies',
  summary: "List a memory's strategies in the order they were added.",
  scope: 'memory:read',
  status: 200,
  response: z.array(strategyView),
});

export const addStrategy = route({
  id: 'addStrategy',
  method: 'POST',
  path: '/memory/memories/{memoryId}/long-term-memory-strategies',
  tag: 'Strategies',
  summary: "Add a strategy. It reads each session from its beginning, starting with the session's next event.",
  scope: 'memory:write',
  body: strategyBody,
  status: 200,
  location: '/memory/memories/{memoryId}/long-term-memory-strategies/{id}',
  response: strategyView,
  refusals: ['strategy.unknown_namespace_variable', 'strategy.too_many'],
});

export const getStrategy = route({
  id: 'getStrategy',
  method: 'GET',
  path: '/memory/memories/{memoryId}/long-term-memory-strategies/{strategyId}',
  tag: 'Strategies',
  summary: 'Get a strategy.',
  scope: 'memory:read',
  status: 200,
  versioned: true,
  response: strategyView,
  refusals: ['strategy.not_found'],
});

export const changeStrategy = route({
  id: 'changeStrategy',
  method: 'PATCH',
  path: '/memory/memories/{memoryId}/long-term-memory-strategies/{strategyId}',
  tag: 'Strategies',
  summary: 'Update a strategy, which creates its next version, or enable or disable it.',
  scope: 'memory:write',
  body: changeStrategyBody,
  status: 200,
  versioned: true,
  response: strategyView,
  refusals: ['strategy.not_found', 'strategy.unknown_namespace_variable', 'strategy.custom_prompt_missing'],
});

export const deleteStrategy = route({
  id: 'deleteStrategy',
  method: 'DELETE',
  path: '/memory/memories/{memoryId}/long-term-memory-strategies/{strategyId}',
  tag: 'Strategies',
  summary: 'Delete a strategy, and its records if requested. This cannot be undone.',
  scope: 'memory:write',
  query: deleteStrategyQuery,
  status: 200,
  versioned: true,
  response: deletedStrategyView,
  refusals: ['strategy.not_found', 'record_deletion.too_many'],
});
