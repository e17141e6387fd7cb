import { z } from 'zod';
import { actorId, base64, sessionId, text } from './common.js';
import { isScalar, recordOf, scalarRecord } from './graph-values.js';

/** Ids and names chosen by LangGraph. */
const name = text(1_024, 1);
/** Of a checkpoint or a task. */
const id = text(255, 1);
const namespace = text(1_024).describe('Namespace of a subgraph; empty for the root graph.');
const version = z.union([z.number(), text(255, 1)]);

/** A value as the client's serializer produced it. */
const serialized = { type: text(64, 1).describe('Format of the data, as the serializer names it.'), data: base64 };
const serializedValue = z.strictObject(serialized);

const isVersion = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && isScalar(value));
const versions = recordOf(isVersion, 'numbers or texts');

const MAX_VALUES = 10_000;
const values = <T extends z.ZodType>(item: T) =>
  z.array(item).max(MAX_VALUES, `must have at most ${MAX_VALUES.toLocaleString('en-US')} values`);

export const putCheckpointBody = z.strictObject({
  namespace: namespace.default(''),
  checkpointId: id.describe('Ids of later checkpoints must sort after it.'),
  parentId: id.nullable().default(null),
  checkpoint: serializedValue.describe('The checkpoint without the values of its channels.'),
  metadata: serializedValue,
  labels: scalarRecord.default({}).describe('Scalars of the metadata, which `filter` compares.'),
  channelVersions: versions.default({}).describe('Version of every channel.'),
  channels: values(z.strictObject({ channel: name, version, ...serialized }))
    .default([])
    .describe('Values of the channels that changed. A value that is already stored with this version is kept.'),
});
export type PutCheckpointBody = z.infer<typeof putCheckpointBody>;

export const putCheckpointWritesBody = z.strictObject({
  namespace: namespace.default(''),
  checkpointId: id,
  taskId: id,
  taskPath: text(4_096).default(''),
  overwrite: z.boolean().default(false).describe('Replace writes of the same task and index.'),
  writes: values(z.strictObject({ index: z.int().min(-1_000).max(1_000_000), channel: name, ...serialized })).default(
    [],
  ),
});
export type PutCheckpointWritesBody = z.infer<typeof putCheckpointWritesBody>;

/** Checkpoints and writes in a batch. */
const MAX_IN_BATCH = 256;
const place = { actorId, sessionId };
export const batchCheckpointsBody = z.strictObject({
  operations: z
    .array(
      z.discriminatedUnion('op', [
        putCheckpointBody.extend({ op: z.literal('put'), ...place }),
        putCheckpointWritesBody.extend({ op: z.literal('put-writes'), ...place }),
      ]),
    )
    .max(MAX_IN_BATCH, `must have at most ${MAX_IN_BATCH} operations`)
    .describe(
      'Checkpoints and writes of any sessions. Each is stored independently; if one fails, send all of them again.',
    ),
});
export type CheckpointOperation = z.infer<typeof batchCheckpointsBody>['operations'][number];

const searchFields = {
  namespace: namespace.optional(),
  checkpointId: id.optional(),
  before: id.optional().describe('Checkpoints whose id sorts before this one.'),
  filter: scalarRecord.default({}).describe('Required values of the labels.'),
  limit: z.number().int().min(1).max(100).default(10),
  after: text(8_192, 1).optional().describe('`next` of the previous page.'),
};
export const searchCheckpointsBody = z.strictObject(searchFields);
export const searchMemoryCheckpointsBody = z.strictObject({
  actorId: actorId.optional(),
  sessionId: sessionId.optional(),
  ...searchFields,
});
export type SearchCheckpointsBody = z.infer<typeof searchMemoryCheckpointsBody>;

export const getCheckpointQuery = z.strictObject({
  namespace: namespace.default(''),
  checkpointId: id.optional().describe('Default: the newest one.'),
});
export const threadQuery = z.strictObject({ sessionId });

export const threadActorView = z.object({ actorId: z.string() }).meta({ id: 'ThreadActor' });

const storedValue = { type: z.string(), data: z.string().describe('Base64.') };
export const checkpointView = z
  .object({
    actorId: z.string(),
    sessionId: z.string(),
    namespace: z.string(),
    checkpointId: z.string(),
    parentId: z.string().nullable(),
    checkpoint: z.object(storedValue),
    metadata: z.object(storedValue),
    channels: z.array(z.object({ channel: z.string(), version: z.string(), ...storedValue })),
    writes: z
      .array(z.object({ taskId: z.string(), channel: z.string(), ...storedValue }))
      .describe('Writes of tasks after this checkpoint, by task path, task id and index.'),
  })
  .meta({ id: 'GraphCheckpoint' });
export type CheckpointView = z.infer<typeof checkpointView>;

export const storedCheckpointView = z.object({ checkpointId: z.string() }).meta({ id: 'StoredCheckpoint' });
