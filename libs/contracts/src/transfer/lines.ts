import {
  DOUBTS,
  RECORD_CATEGORIES,
  STRATEGY_TYPES,
  STRENGTHS,
  strategyKind,
  type OutputData,
  type OutputSchema,
  type RecordSnapshot,
  type Strategy,
} from '@turnkeeper/domain';
import { z } from 'zod';
import { actorId, base64, instant, jsonObject, sessionId, storedJsonObject, text, uuid } from '../http/common.js';
import { putCheckpointBody, putCheckpointWritesBody } from '../http/checkpoints.js';
import { graphItemParts } from '../http/graph-store.js';
import { MAX_MESSAGE_LENGTH } from '../http/events.js';
import {
  expiryDays,
  hasItsPrompt,
  memoryName,
  namespaceTemplate,
  outputSchema,
  PROMPT_REQUIRED,
  rollingBounds,
} from '../http/memories.js';
import { newNamespace } from '../http/records.js';

/** Current version of the file format. Readers reject unknown versions. */
export const TRANSFER_FORMAT = 1;

const memoryLine = z.strictObject({
  kind: z.literal('memory'),
  format: z.literal(TRANSFER_FORMAT, `must be ${TRANSFER_FORMAT}`),
  memoryId: uuid,
  name: memoryName,
  description: text(4_096),
  eventExpiryDuration: expiryDays,
});

const rolling = z.strictObject({
  ...rollingBounds,
  trimAfterSummarize: z.boolean(),
});

const strategy = z.strictObject({
  strategyId: uuid,
  name: text(255, 1),
  type: z.enum(STRATEGY_TYPES),
  version: z.number().int().min(1),
  namespaceTemplate: namespaceTemplate.min(1, 'must not be empty'),
  automatic: z.boolean(),
  customPrompt: text(30_000).nullable(),
  /** Absent in files written by older releases. */
  outputSchema: outputSchema
    .transform((schema): OutputSchema => schema)
    .nullable()
    .default(null),
  /** Rolling-memory settings of a SUMMARY strategy; null for other types. */
  rolling: rolling.nullable().default(null),
});
const strategyLine = strategy
  .extend({ kind: z.literal('strategy'), status: z.enum(['ACTIVE', 'DISABLED']) })
  .refine((line) => hasItsPrompt(line.type, line.customPrompt), { path: ['customPrompt'], error: PROMPT_REQUIRED })
  .refine((line) => line.outputSchema == null || strategyKind(line.type).takesPrompt, {
    path: ['outputSchema'],
    error: 'is only for CUSTOM strategies',
  });

const message = z.strictObject({
  payloadType: text(64, 1),
  role: text(64),
  content: text(MAX_MESSAGE_LENGTH),
  turnId: z.number().int().optional(),
  timestamp: z.number().nonnegative().optional(),
  metadata: storedJsonObject.optional(),
  toolCalls: z.array(storedJsonObject).max(1_000).optional(),
  toolCallId: text(255).optional(),
  extra: storedJsonObject.optional(),
});
const binary = z.strictObject({
  payloadType: text(64, 1),
  binaryData: base64,
  metadata: storedJsonObject.optional(),
});
const interruption = z.strictObject({
  messageEventId: uuid,
  heard: text(MAX_MESSAGE_LENGTH).nullable(),
  interruptTimestamp: z.number().nonnegative().optional(),
});
const reset = z.strictObject({ agentId: uuid.nullable(), reason: text(255) });

const eventOf = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.strictObject({
    kind: z.literal('event'),
    type: z.literal(type),
    actorId,
    sessionId,
    eventId: uuid,
    /** When it was said, else when it arrived. */
    at: instant,
    data,
  });

const eventLine = z.discriminatedUnion('type', [
  eventOf('message.appended', message),
  eventOf('binary.appended', binary),
  eventOf('message.interrupted', interruption),
  eventOf('history.reset', reset),
]);

const recordLine = z.strictObject({
  kind: z.literal('record'),
  recordId: uuid,
  text: text(16_000, 1),
  namespace: newNamespace,
  strategyId: uuid.nullable(),
  strategyVersion: z.number().int().nullable(),
  actorId: actorId.nullable(),
  extractor: text(255),
  model: text(255).nullable(),
  promptHash: text(255).nullable(),
  slot: z.strictObject({ key: text(1_024), value: text(16_000) }).nullable(),
  /** Absent in files written by older releases. */
  eventTime: z.strictObject({ from: z.iso.date().nullable(), to: z.iso.date().nullable() }).nullable().optional(),
  category: z.enum(RECORD_CATEGORIES).nullable().optional(),
  subject: text(255).nullable().optional(),
  attribute: z
    .strictObject({ name: text(60, 1), value: text(500, 1), single: z.boolean() })
    .nullable()
    .optional(),
  strength: z.enum(STRENGTHS).nullable().optional(),
  data: jsonObject
    .transform((data): OutputData => data)
    .nullable()
    .optional(),
  doubts: z.array(z.enum(DOUBTS)).max(DOUBTS.length).readonly().optional(),
  sources: z
    .array(
      z.strictObject({
        eventId: uuid,
        sequence: z.number().int(),
        role: text(64),
        quote: text(MAX_MESSAGE_LENGTH),
        context: z.boolean().optional(),
      }),
    )
    .max(100_000),
  statedAt: instant,
  createdAt: instant,
  updatedAt: instant,
  supersededBy: uuid.nullable(),
  validTo: instant.nullable(),
});

/** A checkpoint of a graph, with the values of the channels that its parent has not. */
const checkpointLine = putCheckpointBody.extend({ kind: z.literal('checkpoint'), actorId, sessionId });
const checkpointWritesLine = putCheckpointWritesBody.extend({
  kind: z.literal('checkpoint-writes'),
  actorId,
  sessionId,
});

/** An item of the store that graphs share. */
const item = z.strictObject({
  ...graphItemParts,
  value: graphItemParts.value.unwrap(),
  /** Whether a query ranks it; by all texts of its value, because the fields it was ranked by are not stored. */
  isRanked: z.boolean(),
  /** As many bytes as numbers. Absent in files of older releases. */
  vectors: z.array(base64).optional(),
  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant.nullable(),
});
export type TransferItem = z.infer<typeof item>;
const itemLine = item.extend({ kind: z.literal('item') });

const count = z.number().int();
/** The last line: without it, the file is truncated. Absent counts are 0, as in files of older releases. */
const endLine = z.strictObject({
  kind: z.literal('end'),
  events: count,
  records: count,
  checkpoints: count.optional(),
  items: count.optional(),
});

/** One line of an exported memory. Order: memory, strategies, events by session, records, checkpoints, items, end. */
export const transferLine = z.discriminatedUnion('kind', [
  memoryLine,
  strategyLine,
  eventLine,
  recordLine,
  checkpointLine,
  checkpointWritesLine,
  itemLine,
  endLine,
]);
export type TransferLine = z.infer<typeof transferLine>;
export type TransferCheckpoint = z.infer<typeof checkpointLine> | z.infer<typeof checkpointWritesLine>;
export type TransferEvent = z.infer<typeof eventLine>;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
// Compile-time check that the file's shapes match the domain's.
true satisfies Same<keyof RecordSnapshot, Exclude<keyof z.infer<typeof recordLine>, 'kind'>>;
true satisfies Same<keyof Strategy, keyof z.infer<typeof strategy>>;

export const importQuery = z.strictObject({
  ids: z
    .enum(['keep', 'new'], 'must be keep or new')
    .default('keep')
    .describe('`keep`: import with the same ids, into another installation. `new`: import as a copy with new ids.'),
});

export const importedView = z
  .object({
    memoryId: z.uuid(),
    events: z.int(),
    records: z.int(),
  })
  .meta({ id: 'ImportedMemory' });
