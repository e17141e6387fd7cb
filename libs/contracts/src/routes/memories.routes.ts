import { z } from 'zod';
import { pageQuery } from '../http/common.js';
import { changeMemoryBody, changeStrategyBody, createMemoryBody, strategyBody } from '../http/memories.js';
import { createdMemoryView, memoryView, strategyView } from '../http/memory-views.js';
import { pageOf } from '../http/paging.js';
import { usageView } from '../http/session-views.js';
import { route } from './route.js';

const tag = 'Memories';

export const createMemory = route({
  id: 'createMemory',
  method: 'POST',
  path: '/memory/memories',
  tag,
  summary: 'Creates a memory with its strategies.',
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
  summary: 'Lists the memories, newest first.',
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
  summary: 'Gives one memory.',
  scope: 'memory:read',
  status: 200,
  response: memoryView,
});

export const changeMemory = route({
  id: 'changeMemory',
  method: 'PATCH',
  path: '/memory/memories/{memoryId}',
  tag,
  summary: 'Changes the description, and how long events live: new ones, and those that are there where asked.',
  scope: 'memory:write',
  body: changeMemoryBody,
  status: 200,
  response: memoryView,
});

export const deleteMemory = route({
  id: 'deleteMemory',
  method: 'DELETE',
  path: '/memory/memories/{memoryId}',
  tag,
  summary: 'Deletes a memory with everything in it. It cannot be undone.',
  scope: 'memory:write',
  status: 200,
  response: null,
});

export const getUsage = route({
  id: 'getUsage',
  method: 'GET',
  path: '/memory/memories/{memoryId}/usage',
  tag,
  summary: 'Counts what a memory holds.',
  scope: 'memory:read',
  status: 200,
  response: usageView,
});

export const listStrategies = route({
  id: 'listStrategies',
  method: 'GET',
  path: '/memory/memories/{memoryId}/long-term-memory-strategies',
  tag: 'Strategies',
  summary: 'Lists the strategies of a memory, in the order they were added.',
  scope: 'memory:read',
  status: 200,
  response: z.array(strategyView),
});

export const addStrategy = route({
  id: 'addStrategy',
  method: 'POST',
  path: '/memory/memories/{memoryId}/long-term-memory-strategies',
  tag: 'Strategies',
  summary: 'Adds a strategy. Sessions are read for it from their next event on, from their beginning.',
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
  summary: 'Gives one strategy.',
  scope: 'memory:read',
  status: 200,
  response: strategyView,
  refusals: ['strategy.not_found'],
});

export const changeStrategy = route({
  id: 'changeStrategy',
  method: 'PATCH',
  path: '/memory/memories/{memoryId}/long-term-memory-strategies/{strategyId}',
  tag: 'Strategies',
  summary: 'Changes a strategy, which makes its next version, and switches it off or on.',
  scope: 'memory:write',
  body: changeStrategyBody,
  status: 200,
  response: strategyView,
  refusals: ['strategy.not_found', 'strategy.unknown_namespace_variable', 'strategy.custom_prompt_missing'],
});
