import { tool, type FunctionTool } from '@openai/agents-core';
import { MEMORY_TOOLS, type MemoryScope } from './memory-tools.js';

export { TurnkeeperSession } from './openai-agents-session.js';
export type { MemoryScope } from './memory-tools.js';

/**
 * The tools `remember`, `recall`, `forget` and `getContext` for OpenAI Agents.
 *
 * @example
 * const agent = new Agent({ name: 'Desk', tools: memoryTools({ memory, actorId, namespace: '/facts/{actorId}' }) });
 */
export const memoryTools = (scope: MemoryScope): FunctionTool[] =>
  MEMORY_TOOLS.map(
    ({ name, description, schema, run }) =>
      tool({
        name,
        description,
        parameters: schema,
        execute: (input: unknown, _context: unknown, details?: { signal?: AbortSignal }) =>
          run(scope, input as never, details?.signal),
      } as never) as unknown as FunctionTool,
  );
