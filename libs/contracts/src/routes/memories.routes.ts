import { z } from 'zod';
import { pageQuery } from '../http/common.js';
import { createMemoryBody } from '../http/memories.js';
import { createdMemoryView, memoryView, strategyView } from '../http/memory-views.js';
import { pageOf } from '../http/paging.js';
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
