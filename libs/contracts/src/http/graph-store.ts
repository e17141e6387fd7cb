import { z } from 'zod';
import { jsonObject, text } from './common.js';
import { isScalar, isStorableJson, recordOf, type Scalar } from './graph-values.js';

const label = text(255, 1).refine((value) => value.isWellFormed(), 'must be well-formed Unicode');
const namespace = z.array(label).min(1, 'must not be empty').max(32, 'must have at most 32 labels');
const prefix = z.array(label).max(32, 'must have at most 32 labels').default([]);
const key = text(1_024, 1).refine((value) => value.isWellFormed(), 'must be well-formed Unicode');
const offset = z.number().int().min(0).max(1_000_000).default(0);

const RANGES = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'];
const LISTS = ['$in', '$nin'];

/** A scalar, or an object of operators. */
const isCondition = (value: unknown): value is Scalar | Record<string, Scalar | Scalar[]> =>
  isScalar(value) ||
  (typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(
      ([operator, inner]) =>
        (RANGES.includes(operator) && isScalar(inner)) ||
        (LISTS.includes(operator) && Array.isArray(inner) && inner.every(isScalar)),
    ));
const filter = recordOf(
  isCondition,
  'scalars or objects of the operators $eq, $ne, $gt, $gte, $lt, $lte, $in and $nin',
).default({});
const value = jsonObject
  .refine(isStorableJson, 'must be well-formed Unicode, without half of a surrogate pair')
  .nullable();

const vector = z.array(z.number()).min(1).max(4_096, 'must have at most 4,096 numbers');

const getItem = z.strictObject({ op: z.literal('get'), namespace, key });
const putItem = z.strictObject({
  op: z.literal('put'),
  namespace,
  key,
  value: value.describe('Null deletes the item.'),
  searchText: text(1_000_000)
    .nullable()
    .optional()
    .describe('Texts by which queries rank the item. Absent: all texts of the value. Null: the item is not ranked.'),
  vectors: z
    .array(vector)
    .max(100, 'must have at most 100 vectors')
    .default([])
    .describe('Embeddings of texts of the item, by which searches with a vector rank it. Their length does not count.'),
  ttlSeconds: z.number().int().min(1).max(3_153_600_000).nullable().default(null).describe('Null: kept until deleted.'),
});
const searchItems = z.strictObject({
  op: z.literal('search'),
  prefix,
  filter,
  query: text(10_000).optional().describe('Ranks the items by its words.'),
  vector: vector
    .optional()
    .describe(
      'Ranks the items by the cosine of their nearest vector instead; those without one of its size come last.',
    ),
  limit: z.number().int().min(1).max(1_000).default(10),
  offset,
});
const listNamespaces = z.strictObject({
  op: z.literal('namespaces'),
  match: z
    .array(z.strictObject({ type: z.enum(['prefix', 'suffix']), path: z.array(label).max(32) }))
    .max(10)
    .default([])
    .describe('`*` in a path matches any label.'),
  maxDepth: z.number().int().min(1).max(32).optional(),
  limit: z.number().int().min(1).max(1_000).default(100),
  offset,
});

/** Parts of an item, for files that hold items. */
export const graphItemParts = { namespace, key, value };

export const graphStoreBody = z.strictObject({
  operations: z
    .array(z.discriminatedUnion('op', [getItem, putItem, searchItems, listNamespaces]))
    .max(1_000, 'must have at most 1,000 operations')
    .describe('Reads see the state before the writes. If a key is written more than once, the last write wins.'),
});
export type GraphStoreOperation = z.infer<typeof graphStoreBody>['operations'][number];

const stamp = z.iso.datetime({ offset: true });
const graphItemView = z
  .object({
    namespace: z.array(z.string()),
    key: z.string(),
    value: z.record(z.string(), z.unknown()),
    createdAt: stamp,
    updatedAt: stamp,
    score: z
      .number()
      .nullable()
      .describe('0-1 for a search with a query, a cosine for one with a vector; otherwise null.'),
  })
  .meta({ id: 'GraphItem' });
export type GraphItemView = z.infer<typeof graphItemView>;

export const graphStoreView = z
  .object({
    results: z
      .array(z.union([graphItemView, z.array(graphItemView), z.array(z.array(z.string())), z.null()]))
      .describe('One result per operation, in the same order. Null for writes and for missing items.'),
  })
  .meta({ id: 'GraphStoreResults' });
