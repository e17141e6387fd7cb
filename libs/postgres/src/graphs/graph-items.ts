import type { MemoryScope } from '@turnkeeper/application';
import type { GraphItemView, GraphStoreOperation } from '@turnkeeper/contracts';
import { MemoryNotFound, writeJson } from '@turnkeeper/domain';
import { dot, packVector, unitVector } from '@turnkeeper/search';
import type { DataSource, EntityManager } from 'typeorm';
import { inTenant, rowsOf, viewsOf } from '../connections/database.js';
import { raw, sqlOf, sqlViewsOf } from '../connections/sql.js';
import { base64Of, vectorOf } from '../search/vectors/embed-texts.js';

/** Result of one operation: an item, items, namespaces, or null. */
export type GraphStoreResult = GraphItemView | readonly GraphItemView[] | readonly (readonly string[])[] | null;

type Operation<Op extends GraphStoreOperation['op']> = Extract<GraphStoreOperation, { readonly op: Op }>;

const VIEW = `i.namespace, i.key, i.value, i.created_at, i.updated_at`;
const LIVE = `i.tenant_id = $1 and i.memory_id = $2 and (i.expires_at is null or i.expires_at > now())`;

/** Newest items whose vectors are compared with a search's: they are read for it, 1,536 numbers each or so. */
const MAX_COMPARED = 20_000;
const VECTORS = `
  select i.item_key as "itemKey", i.vectors from graph_items_below($1, $2, $3) i
   where i.vectors is not null and graph_value_matches(i.value, $4::jsonb)
   order by i.item_key desc limit ${MAX_COMPARED}`;

/** Ranks by given scores, or by the words of a query; items without any of them come last. */
const SEARCH = `
  select ${VIEW}, coalesce(s.score, case when $5::text is not null
           then coalesce(ts_rank(i.words, replace(plainto_tsquery('english', $5)::text, '&', '|')::tsquery, 32), 0) end)
         as score
    from graph_items_below($1, $2, $3) i
    left join unnest($8::bigint[], $9::float8[]) as s (item_key, score) on s.item_key = i.item_key
   where graph_value_matches(i.value, $4::jsonb)
   order by score desc nulls last, i.item_key
   limit $6 offset $7`;

const matchOf = (at: number): string => `(select bool_and(p.label = '*' or p.label = n.namespace[
    case when $${at}::text = 'prefix' then p.nr
      else cardinality(n.namespace) - cardinality($${at + 1}::text[]) + p.nr end])
   from unnest($${at + 1}::text[]) with ordinality as p(label, nr)) is not false
  and cardinality($${at + 1}::text[]) <= cardinality(n.namespace)`;

/** The vectors of an item, `w` in a statement's JSON, which has them in base64; null without any. */
export const VECTORS_OF_ITEM = `(select array_agg(decode(v, 'base64') order by nr)
  from jsonb_array_elements_text(w -> 'vectors') with ordinality as of_item (v, nr))`;

/** Writes the items of a batch. */
const WRITE = `
  with input as (
    select w -> 'namespace' as labels, w ->> 'key' as key, w -> 'value' as value,
           w ->> 'searchText' as search_text, (w ->> 'isRanked')::boolean as is_ranked,
           (w ->> 'ttlSeconds')::float8 as ttl,
           ${VECTORS_OF_ITEM} as vectors
      from jsonb_array_elements($3::jsonb) as w
  ), written as (
    select array(select jsonb_array_elements_text(labels)) collate "C" as namespace, key, value, search_text, is_ranked, ttl,
           vectors
      from input
  )
  insert into graph_items as old
    (tenant_id, memory_id, namespace, key, value, words, vectors, created_at, updated_at, expires_at)
  select $1, $2, w.namespace, w.key, w.value,
         case when w.is_ranked then coalesce(to_tsvector('english', w.search_text),
                                             jsonb_to_tsvector('english', w.value, '["string", "numeric"]')) end,
         w.vectors, now(), now(), now() + make_interval(secs => w.ttl)
    from written w order by w.namespace, w.key
  on conflict (memory_id, namespace, key) do update
    set value = excluded.value, words = excluded.words, vectors = excluded.vectors, updated_at = excluded.updated_at,
        created_at = case when old.expires_at <= now() then excluded.created_at else old.created_at end,
        expires_at = excluded.expires_at
    where old.tenant_id = excluded.tenant_id`;

/** Items that agent graphs share, in namespaces of a memory. */
export class PgGraphItems {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs the operations. Reads see the state before the writes; writes are committed together, the last one of a key.
   * Resolves to one result per operation.
   */
  batch(scope: MemoryScope, operations: readonly GraphStoreOperation[]): Promise<readonly GraphStoreResult[]> {
    return inTenant(this.dataSource, scope.tenantId, (manager) =>
      manager.transaction(async (transaction) => {
        await requireOpen(transaction, scope);
        const results: GraphStoreResult[] = [];
        const gotten = await getAll(transaction, scope, operations);
        const writes = new Map<string, Operation<'put'>>();
        for (const operation of operations) {
          if (operation.op === 'put') {
            // The last write of a key counts.
            const place = JSON.stringify([operation.namespace, operation.key]);
            writes.set(place, operation);
            results.push(null);
          } else if (operation.op === 'get') results.push(gotten.shift() ?? null);
          else results.push(await read(transaction, scope, operation));
        }
        if (writes.size > 0) await write(transaction, scope, [...writes.values()]);
        return results;
      }),
    );
  }
}

/** Locks the memory, so that its deletion cannot miss what is written here. */
export const requireOpen = async (manager: EntityManager, { tenantId, memoryId }: MemoryScope): Promise<void> => {
  const found = await sqlOf(manager)`
    select from memories where tenant_id = ${tenantId} and memory_id = ${memoryId} and status = 'ACTIVE' for key share`;
  if (found.length === 0) throw new MemoryNotFound();
};

/** The items of all gets of a batch, in one statement. */
const getAll = async (
  manager: EntityManager,
  { tenantId, memoryId }: MemoryScope,
  operations: readonly GraphStoreOperation[],
): Promise<(GraphItemView | null)[]> => {
  const wanted = operations.filter(({ op }) => op === 'get') as Operation<'get'>[];
  if (wanted.length === 0) return [];
  const places = JSON.stringify(wanted.map(({ namespace, key }) => ({ namespace, key })));
  const found = await sqlViewsOf<GraphItemView | { readonly key: null }>(manager)`
    select ${raw(VIEW)}, null::float8 as score
       from generate_series(1, ${wanted.length}::bigint) nr
         left join graph_items_at(${tenantId}, ${memoryId}, ${places}) i using (nr) order by nr`;
  return found.map((item) => (item.key === null ? null : item));
};

const read = async (
  manager: EntityManager,
  { tenantId, memoryId }: MemoryScope,
  operation: Operation<'search' | 'namespaces'>,
): Promise<GraphStoreResult> => {
  const of = [tenantId, memoryId];
  switch (operation.op) {
    case 'search': {
      const { prefix, filter, query, vector, limit, offset } = operation;
      const asked = query === undefined || query.trim() === '' || vector !== undefined ? null : query;
      const among = [...of, prefix, writeJson(filter)];
      const stored = vector === undefined ? [] : await rowsOf<StoredVectors>(manager, VECTORS, among);
      const nearest = nearestOf(stored, vector ?? [], offset + limit);
      const scores = [nearest.map(({ itemKey }) => itemKey), nearest.map(({ score }) => score)];
      return viewsOf<GraphItemView>(manager, SEARCH, [...among, asked, limit, offset, ...scores]);
    }
    case 'namespaces': {
      const { match, maxDepth = null, limit, offset } = operation;
      const conditions = match.map((_, at) => ` and ${matchOf(6 + at * 2)}`).join('');
      const found = await rowsOf<{ namespace: string[] }>(
        manager,
        `select distinct n.namespace[1:coalesce($3::int, 32)] as namespace
           from (select distinct i.namespace from graph_items i where ${LIVE}) n
          where true${conditions} order by 1 limit $4 offset $5`,
        [...of, maxDepth, limit, offset, ...match.flatMap(({ type, path }) => [type, path])],
      );
      return found.map(({ namespace }) => namespace);
    }
  }
};

interface StoredVectors {
  readonly itemKey: string;
  readonly vectors: readonly Buffer[];
}

/** The items with the vectors nearest to a search's, of those of its size. */
const nearestOf = (items: readonly StoredVectors[], vector: readonly number[], most: number) => {
  const wanted = unitVector(vector);
  return items
    .flatMap(({ itemKey, vectors }) => {
      const cosines = vectors
        .filter(({ length }) => length === wanted.length)
        .map((stored) => dot(unitVector(vectorOf(stored)), wanted));
      return cosines.length === 0 ? [] : [{ itemKey, score: Math.max(...cosines) }];
    })
    .sort((a, b) => b.score - a.score || Number(a.itemKey) - Number(b.itemKey))
    .slice(0, most);
};

const write = async (
  manager: EntityManager,
  { tenantId, memoryId }: MemoryScope,
  writes: readonly Operation<'put'>[],
): Promise<void> => {
  const deleted = writes.filter(({ value }) => value === null).map(({ namespace, key }) => ({ namespace, key }));
  if (deleted.length > 0) {
    await rowsOf(manager, 'select delete_graph_items($1, $2, $3)', [tenantId, memoryId, JSON.stringify(deleted)]);
  }
  const rows = writes
    .filter(({ value }) => value !== null)
    .map(({ namespace, key, value, searchText, vectors, ttlSeconds }) => ({
      ...{ namespace, key, value, ttlSeconds },
      vectors: vectors.map((vector) => base64Of(packVector(vector))),
      searchText: searchText ?? null,
      isRanked: searchText !== null,
    }));
  if (rows.length > 0) await rowsOf(manager, WRITE, [tenantId, memoryId, writeJson(rows)]);
};

/** Deletes expired items of all tenants. Resolves to whether there may be more. */
export const purgeExpiredItems = async (dataSource: DataSource, limit: number): Promise<boolean> => {
  const gone = await sqlOf(dataSource)`
    delete from graph_items where ctid = any (array(
       select ctid from graph_items where expires_at <= now() limit ${limit} for update skip locked)) returning 1`;
  return gone.length === limit;
};
