import { z } from 'zod';
import { actorId, instant, text, uuid } from './common.js';

const stamp = z.iso.datetime({ offset: true });

const filterFields = {
  namespace: text(4_096, 1).describe('Records of this namespace, matched exactly.'),
  strategyId: uuid.describe('Records extracted by this strategy.'),
  actorId: actorId.describe('Records that are based on what this actor said.'),
  createdFrom: instant.describe('Created at or after this time.'),
  createdTo: instant.describe('Created at or before this time.'),
};

/** A time alone is not enough, so that an omitted filter cannot delete the whole memory. */
export const deleteRecordsBody = z
  .strictObject({
    namespace: filterFields.namespace.optional(),
    strategyId: filterFields.strategyId.optional(),
    actorId: filterFields.actorId.optional(),
    createdFrom: filterFields.createdFrom.optional(),
    createdTo: filterFields.createdTo.optional(),
  })
  .refine(({ namespace, strategyId, actorId: actor }) => [namespace, strategyId, actor].some((v) => v !== undefined), {
    path: ['namespace'],
    error: 'or strategyId or actorId is required',
  });

/** Progress of a deletion of many records. */
export const recordDeletionView = z
  .object({
    id: z.uuid(),
    memoryId: z.uuid(),
    status: z
      .enum(['pending', 'running', 'finished'])
      .describe('`pending`: not counted yet. `running`: records are being deleted.'),
    filter: z
      .object({
        namespace: z.string().nullable(),
        strategyId: z.uuid().nullable(),
        actorId: z.string().nullable(),
        createdFrom: stamp.nullable(),
        createdTo: stamp.nullable(),
      })
      .nullable()
      .describe('Null once finished, because it may name a person.'),
    found: z.int().nullable().describe('Matching records created before the request; null until they are counted.'),
    deleted: z.int().describe('Number deleted so far. Ends below `found` if some were deleted by other requests.'),
    attempts: z.int().describe('Failed attempts since the last progress. Retried until it succeeds.'),
    requestedAt: stamp,
    finishedAt: stamp.nullable(),
  })
  .meta({ id: 'RecordDeletion' });

export const deleteStrategyQuery = z.strictObject({
  records: z.enum(['keep', 'delete'], 'must be keep or delete').describe("What to do with the strategy's records."),
});

export const deletedStrategyView = z
  .object({
    strategyId: z.uuid(),
    records: z.enum(['keep', 'delete']),
    recordDeletion: recordDeletionView.nullable().describe('Progress of deleting its records; null if they are kept.'),
  })
  .meta({ id: 'DeletedStrategy' });
