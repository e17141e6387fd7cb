import { tool, type DynamicStructuredTool } from '@langchain/core/tools';
import { MEMORY_TOOLS, type MemoryScope } from './memory-tools.js';

export type { MemoryScope } from './memory-tools.js';

/** What LangChain passes to a tool of an invocation. */
export interface InvocationConfig {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Everything but the actor, which is that of the invocation. */
export type SharedScope = Omit<MemoryScope, 'actorId'> & { readonly actorId?: undefined };

/**
 * The tools `remember`, `recall`, `forget` and `getContext` for LangChain and LangGraph. Without an `actorId`, it is
 * `actor_id` in the `configurable` of the invocation, so that one graph serves all users; an invocation without it is
 * an error.
 *
 * @example
 * const agent = createReactAgent({ llm, tools: memoryTools({ memory, namespace: '/facts/{actorId}' }) });
 * await agent.invoke({ messages }, { configurable: { thread_id: sessionId, actor_id: userId } });
 */
export const memoryTools = (scope: MemoryScope | SharedScope): DynamicStructuredTool[] =>
  MEMORY_TOOLS.map(
    ({ name, description, schema, run }) =>
      tool(
        (input: unknown, config: InvocationConfig) =>
          run({ ...scope, actorId: scope.actorId ?? actorOf(config) }, schema.parse(input) as never, config.signal),
        { name, description, schema },
      ) as unknown as DynamicStructuredTool,
  );

const actorOf = ({ configurable }: InvocationConfig): string => {
  const actorId = configurable?.['actor_id'];
  if (typeof actorId === 'string' && actorId !== '') return actorId;
  // No default: it would mix the memories of users.
  throw new TypeError('configurable.actor_id is required: the user whose memory the tools use.');
};
