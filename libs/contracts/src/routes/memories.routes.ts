import { z } from 'zod';
import { pageQuery } from '../http/common.js';
import { changeMemoryBody, changeStrategyBody, createMemoryBody, strategyBody } from '../http/memories.js';
import { createdMemoryView, memoryView, strategyView } from '../http/memory-views.js';
import { pageOf } from '../http/paging.js';
import { deletedStrategyView, deleteStrategyQuery } from '../http/record-deletions.js';
import { usageView } from '../http/session-views.js';
import { routesOf } from './route.js';

const route = routesOf('Memories');
const strategyRoute = routesOf('Strategies');

export const createMemory = route('createMemory', 'POST', '/memory/memories', {
  summary: 'Create a memory with its strategies.',
  scope: 'memory:configure',
  body: createMemoryBody,
  location: '/memory/memories/{id}',
  response: createdMemoryView,
  refusals: ['strategy.unknown_namespace_variable', 'strategy.output_schema_not_taken'],
});

export const listMemories = route('listMemories', 'GET', '/memory/memories', {
  summary: 'List memories, newest first.',
  scope: 'memory:read',
  query: pageQuery(100),
  response: pageOf(memoryView),
});

export const getMemory = route('getMemory', 'GET', '/memory/memories/{memoryId}', {
  summary: 'Get a memory.',
  scope: 'memory:read',
  versioned: true,
  response: memoryView,
});

export const changeMemory = route('changeMemory', 'PATCH', '/memory/memories/{memoryId}', {
  summary: "Update a memory's name, description and event expiry; the expiry of existing events only on request.",
  scope: 'memory:configure',
  body: changeMemoryBody,
  versioned: true,
  response: memoryView,
});

export const deleteMemory = route('deleteMemory', 'DELETE', '/memory/memories/{memoryId}', {
  summary: 'Delete a memory with everything in it. This cannot be undone.',
  scope: 'memory:delete',
  response: null,
});

export const getUsage = route('getUsage', 'GET', '/memory/memories/{memoryId}/usage', {
  summary: "Count a memory's actors, sessions, events and records, and the tokens of its model by day and strategy.",
  scope: 'memory:read',
  response: usageView,
});

export const listStrategies = strategyRoute(
  'listStrategies',
  'GET',
  '/memory/memories/{memoryId}/long-term-memory-strategies',
  {
    summary: "List a memory's strategies in the order they were added.",
    scope: 'memory:read',
    response: z.array(strategyView),
  },
);

export const addStrategy = strategyRoute(
  'addStrategy',
  'POST',
  '/memory/memories/{memoryId}/long-term-memory-strategies',
  {
    summary: "Add a strategy. It reads each session from its beginning, starting with the session's next event.",
    scope: 'memory:configure',
    body: strategyBody,
    location: '/memory/memories/{memoryId}/long-term-memory-strategies/{id}',
    response: strategyView,
    refusals: ['strategy.unknown_namespace_variable', 'strategy.output_schema_not_taken', 'strategy.too_many'],
  },
);

export const getStrategy = strategyRoute(
  'getStrategy',
  'GET',
  '/memory/memories/{memoryId}/long-term-memory-strategies/{strategyId}',
  {
    summary: 'Get a strategy.',
    scope: 'memory:read',
    versioned: true,
    response: strategyView,
    refusals: ['strategy.not_found'],
  },
);

export const changeStrategy = strategyRoute(
  'changeStrategy',
  'PATCH',
  '/memory/memories/{memoryId}/long-term-memory-strategies/{strategyId}',
  {
    summary: 'Update a strategy, which creates its next version, or enable or disable it.',
    scope: 'memory:configure',
    body: changeStrategyBody,
    versioned: true,
    response: strategyView,
    refusals: [
      'strategy.not_found',
      'strategy.unknown_namespace_variable',
      'strategy.output_schema_not_taken',
      'strategy.custom_prompt_missing',
    ],
  },
);

export const deleteStrategy = strategyRoute(
  'deleteStrategy',
  'DELETE',
  '/memory/memories/{memoryId}/long-term-memory-strategies/{strategyId}',
  {
    summary: 'Delete a strategy, and its records if requested. This cannot be undone.',
    scope: 'memory:delete',
    query: deleteStrategyQuery,
    versioned: true,
    response: deletedStrategyView,
    refusals: ['strategy.not_found', 'record_deletion.too_many'],
  },
);
