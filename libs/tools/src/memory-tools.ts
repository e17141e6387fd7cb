import type { MemoryHandle, MemoryRecord, SearchRecordsOptions } from '@turnkeeper/client';
import { z } from 'zod';

/** Whose memory the tools use. The model cannot choose it. */
export interface MemoryScope {
  /** `turnkeeper.memory(id)`. */
  readonly memory: MemoryHandle;
  /** The end user. */
  readonly actorId: string;
  /**
   * Where facts are: the namespace template of a strategy of the memory, e.g. `/facts/{actorId}`, so that facts that the
   * model stores and facts that are extracted are found together. `{actorId}` is replaced.
   */
  readonly namespace: string;
  /** Facts that `recall` returns at most. Default 5. */
  readonly limit?: number;
  /** Facts below this score are not returned by `recall`. Default 0. */
  readonly scoreThreshold?: number;
  /** Most tokens of `getContext`. Default 800. */
  readonly budget?: number;
}

/** One tool, for any framework. */
export interface MemoryTool<Name extends string = string, Schema extends z.ZodObject = z.ZodObject> {
  readonly name: Name;
  /** For the model. */
  readonly description: string;
  readonly schema: Schema;
  /** @returns text for the model */
  readonly run: (scope: MemoryScope, input: z.output<Schema>, signal?: AbortSignal) => Promise<string>;
}

/** A tool whose input is not known at compile time. */
export interface AnyMemoryTool {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodObject;
  readonly run: (scope: MemoryScope, input: never, signal?: AbortSignal) => Promise<string>;
}

const defineTool = <Name extends string, Schema extends z.ZodObject>(
  tool: MemoryTool<Name, Schema>,
): MemoryTool<Name, Schema> => tool;

const NOTHING = 'No relevant memories found.';

/** A namespace is a path: an id must not reach into another one. */
const namespaceOf = ({ namespace, actorId }: MemoryScope): string => {
  if (actorId === '' || actorId.includes('/')) throw new TypeError('actorId must not be empty or contain "/".');
  return namespace.replaceAll('{actorId}', () => actorId);
};

const lines = (facts: readonly { readonly memory: string }[]): string =>
  facts.map((fact) => `- ${fact.memory}`).join('\n');

export const remember = defineTool({
  name: 'remember',
  description: 'Store a fact about the user in long-term memory, as one complete sentence.',
  schema: z.object({ fact: z.string().min(1).describe('One sentence that is understood without the conversation.') }),
  run: async (scope, { fact }, signal) => {
    const [record] = await scope.memory.records.insert(fact, { namespace: namespaceOf(scope), signal });
    return record?.created === false ? `Known already: ${fact}` : `Stored: ${fact}`;
  },
});

/** The API's longest query for records, in characters. A fact can be longer. */
const LONGEST_QUERY = 1_000;

const search = async (
  scope: MemoryScope,
  query: string,
  options: Omit<SearchRecordsOptions, 'namespace'>,
): Promise<readonly MemoryRecord[]> => {
  const text = query.slice(0, LONGEST_QUERY);
  // The API rejects a blank query.
  return text.trim() === '' ? [] : scope.memory.records.search(text, { namespace: namespaceOf(scope), ...options });
};

export const recall = defineTool({
  name: 'recall',
  description: 'Search long-term memory for facts about the user that are relevant to a query.',
  schema: z.object({ query: z.string().min(1).describe('What to find, as a question or in key words.') }),
  run: async (scope, { query }, signal) => {
    const { limit = 5, scoreThreshold = 0 } = scope;
    const found = await search(scope, query, { limit, scoreThreshold, signal });
    return found.length === 0 ? NOTHING : lines(found);
  },
});

const FORGET_AMONG = 20;

export const forget = defineTool({
  name: 'forget',
  description: 'Delete a fact from long-term memory, when the user asks for it. Give it exactly as recall returned it.',
  schema: z.object({ fact: z.string().min(1).describe('The text of the fact, as recall returned it.') }),
  run: async (scope, { fact }, signal) => {
    const found = await search(scope, fact, { limit: FORGET_AMONG, signal });
    const same = found.filter(({ memory }) => plain(memory) === plain(fact));
    for (const { id } of same) await scope.memory.records.delete(id, { signal });
    if (same.length > 0) return `Forgotten: ${fact}`;
    return found.length === 0 ? NOTHING : `There is no such fact. The nearest are:\n${lines(found.slice(0, 5))}`;
  },
});

export const getContext = defineTool({
  name: 'getContext',
  description: 'Get what is known about the user, from facts and earlier conversations, on a topic or in general.',
  schema: z.object({ query: z.string().describe('The topic. Empty: the newest.') }),
  run: async ({ memory, actorId, budget = 800 }, { query }, signal) => {
    const { text } = await memory.actor(actorId).context({ query, budget, signal });
    return text === '' ? NOTHING : text;
  },
});

/** The four tools, in the order in which they are offered. */
export const MEMORY_TOOLS = [remember, recall, forget, getContext] as const;

const plain = (text: string): string => text.replace(/^- /, '').trim().toLowerCase();
