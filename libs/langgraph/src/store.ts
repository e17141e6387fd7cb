import {
  BaseStore,
  getTextAtPath,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import type { operations, Turnkeeper } from '@turnkeeper/client';
import { clientOf, REPEATABLE, type TurnkeeperOptions } from './client.js';

export interface StoreOptions extends TurnkeeperOptions {
  /** How long items are kept after their last write, in seconds. Default: until they are deleted. */
  readonly ttlSeconds?: number;
}

interface StoredItem {
  readonly namespace: string[];
  readonly key: string;
  readonly value: Record<string, unknown>;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly score: number | null;
}

type GraphOperation = operations['batchGraphStore']['requestBody']['content']['application/json']['operations'][number];

/** Operations per request, the server's limit. */
const MAX_OPERATIONS = 1_000;

/**
 * Keeps the items of LangGraph.js in a memory of Turnkeeper. Erasing an actor deletes the items in namespaces that have the
 * actor's id as a label. A `query` ranks items by their words.
 */
export class TurnkeeperStore extends BaseStore {
  private readonly client: Turnkeeper;

  constructor(private readonly options: StoreOptions) {
    super();
    this.client = clientOf(options);
  }

  /** Reads see the state before the writes of the batch. Batches over 1,000 operations are sent in parts. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    for (let at = 0; at < operations.length; at += MAX_OPERATIONS) {
      const part = operations.slice(at, at + MAX_OPERATIONS);
      const input = {
        path: { memoryId: this.options.memoryId },
        body: { operations: part.map((operation) => this.requestOf(operation)) },
      };
      const answer = await this.client.request('post', '/v1/memories/{memoryId}/graph-store:batch', input, REPEATABLE);
      for (const [index, operation] of part.entries()) results.push(resultOf(operation, answer.results[index] ?? null));
    }
    return results as OperationResults<Op>;
  }

  private requestOf(operation: Operation): GraphOperation {
    if (isPut(operation)) {
      const { namespace, key, value, index } = operation;
      const { ttlSeconds } = this.options;
      return {
        op: 'put',
        namespace,
        key,
        value,
        ...(value === null || index === undefined ? {} : { searchText: searchTextOf(value, index) }),
        ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
      };
    }
    if (isGet(operation)) return { op: 'get', namespace: operation.namespace, key: operation.key };
    if (isSearch(operation)) {
      const { namespacePrefix: prefix, filter, query, limit, offset } = operation;
      return { op: 'search', prefix, ...defined({ filter, query, limit, offset }) };
    }
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const match = matchConditions.map(({ matchType: type, path }) => ({ type, path }));
    return { op: 'namespaces', match, ...defined({ maxDepth, limit, offset }) };
  }
}

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation;
const isSearch = (operation: Operation): operation is SearchOperation => 'namespacePrefix' in operation;
const isGet = (operation: Operation): operation is GetOperation => 'key' in operation && !('value' in operation);

const defined = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The texts of the given fields; null if the item is not ranked. */
const searchTextOf = (value: Record<string, unknown>, index: false | string[]): string | null =>
  index === false ? null : index.flatMap((path) => getTextAtPath(value, path)).join('\n');

const resultOf = (operation: Operation | ListNamespacesOperation, result: unknown): unknown => {
  if (isPut(operation)) return undefined;
  if (isGet(operation)) return result === null ? null : itemOf(result as StoredItem);
  return isSearch(operation) ? (result as StoredItem[]).map(searchItemOf) : result;
};

const itemOf = ({ namespace, key, value, createdAt, updatedAt }: StoredItem): Item => ({
  namespace,
  key,
  value,
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
});

const searchItemOf = (stored: StoredItem): SearchItem => ({
  ...itemOf(stored),
  ...(stored.score === null ? {} : { score: stored.score }),
});
