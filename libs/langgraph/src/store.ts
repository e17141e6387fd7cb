import {
  BaseStore,
  type GetOperation,
  type IndexConfig,
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
import { textsAt } from './texts-at.js';

export interface StoreOptions extends TurnkeeperOptions {
  /** How long items are kept after their last write, in seconds. Default: until they are deleted. */
  readonly ttlSeconds?: number;
  /**
   * Ranks items by meaning: this process embeds their texts, and queries. `fields` are the paths of these texts, by default
   * the whole value; the `index` of a put replaces them. Absent: the server ranks by words.
   */
  readonly index?: IndexConfig;
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
 * actor's id as a label. A `query` ranks items by their words, or with `index` by their meaning.
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
      const embedded = await this.embed(part);
      const input = {
        path: { memoryId: this.options.memoryId },
        body: { operations: part.map((operation) => this.requestOf(operation, embedded)) },
      };
      const answer = await this.client.request('post', '/v1/memories/{memoryId}/graph-store:batch', input, REPEATABLE);
      for (const [index, operation] of part.entries()) results.push(resultOf(operation, answer.results[index] ?? null));
    }
    return results as OperationResults<Op>;
  }

  /** Null without the option `index`. */
  private async embed(operations: readonly Operation[]): Promise<Embedded | null> {
    const embeddings = this.options.index?.embeddings;
    if (embeddings === undefined) return null;
    const ofPuts = new Map(operations.filter(isPut).map((put) => [put, this.textsOf(put)]));
    const texts = [...new Set([...ofPuts.values()].flat())];
    const queries = [...new Set(operations.flatMap((one) => (isSearch(one) && one.query ? [one.query] : [])))];
    const [ofTexts, ofQueries] = await Promise.all([
      texts.length === 0 ? [] : embeddings.embedDocuments(texts),
      Promise.all(queries.map((query) => embeddings.embedQuery(query))),
    ]);
    const vectors = new Map(texts.map((text, at) => [text, rounded(ofTexts[at] ?? [])]));
    return {
      puts: new Map([...ofPuts].map(([put, own]) => [put, own.map((text) => vectors.get(text) ?? [])])),
      queries: new Map(queries.map((query, at) => [query, rounded(ofQueries[at] ?? [])])),
    };
  }

  /** The texts of a put to embed, each once. */
  private textsOf({ value, index = this.options.index?.fields ?? ['$'] }: PutOperation): string[] {
    if (value === null || index === false) return [];
    return [...new Set(index.flatMap((path) => textsAt(value, path)))];
  }

  private requestOf(operation: Operation, embedded: Embedded | null): GraphOperation {
    if (isPut(operation)) {
      const { namespace, key, value, index } = operation;
      const { ttlSeconds } = this.options;
      return {
        op: 'put',
        namespace,
        key,
        value,
        ...(value === null || index === undefined ? {} : { searchText: searchTextOf(value, index) }),
        ...(embedded === null ? {} : { vectors: embedded.puts.get(operation) ?? [] }),
        ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
      };
    }
    if (isGet(operation)) return { op: 'get', namespace: operation.namespace, key: operation.key };
    if (isSearch(operation)) {
      const { namespacePrefix: prefix, filter, query, limit, offset } = operation;
      const vector = embedded?.queries.get(query ?? '');
      return { op: 'search', prefix, ...defined({ filter, query, vector, limit, offset }) };
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

/** Vectors of a batch: of the texts of each put, and of each query. */
interface Embedded {
  readonly puts: ReadonlyMap<Operation, number[][]>;
  readonly queries: ReadonlyMap<string, number[]>;
}

/** In 8 bits, which the server keeps: only the direction counts, and numbers of many digits would make long requests. */
const rounded = (vector: readonly number[]): number[] => {
  const largest = vector.reduce((most, part) => Math.max(most, Math.abs(part)), 0);
  return vector.map((part) => (largest === 0 ? 0 : Math.round((127 * part) / largest)));
};

/** The texts of the given fields; null if the item is not ranked. */
const searchTextOf = (value: Record<string, unknown>, index: false | string[]): string | null =>
  index === false ? null : index.flatMap((path) => textsAt(value, path)).join('\n');

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
