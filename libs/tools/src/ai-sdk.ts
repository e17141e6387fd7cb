import { tool, type Tool } from 'ai';
import { forget, getContext, recall, remember, type AnyMemoryTool, type MemoryScope } from './memory-tools.js';

export { turnkeeperMemory, type TurnkeeperMemoryOptions } from './ai-sdk-middleware.js';
export type { MemoryScope } from './memory-tools.js';

/**
 * The tools `remember`, `recall`, `forget` and `getContext` for the AI SDK.
 *
 * @example
 * await generateText({ model, prompt, tools: memoryTools({ memory, actorId, namespace: '/facts/{actorId}' }) });
 */
export const memoryTools = (scope: MemoryScope) => ({
  remember: toolOf<{ fact: string }>(remember, scope),
  recall: toolOf<{ query: string }>(recall, scope),
  forget: toolOf<{ fact: string }>(forget, scope),
  getContext: toolOf<{ query: string }>(getContext, scope),
});

const toolOf = <Input>({ description, schema, run }: AnyMemoryTool, scope: MemoryScope): Tool<Input, string> =>
  tool({
    description,
    inputSchema: schema,
    execute: (input: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
      run(scope, input as never, abortSignal),
  } as never) as Tool<Input, string>;
