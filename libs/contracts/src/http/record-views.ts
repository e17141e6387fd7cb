import { STRENGTHS } from '@turnkeeper/domain';
import { z } from 'zod';

const stamp = z.iso.datetime({ offset: true });

export const sourceContext = z
  .boolean()
  .describe('True if it explains the record but does not state it, such as the question that was answered.');

/** One source event of a record, and the quote that supports it. */
const recordSourceView = z
  .object({
    eventId: z.uuid(),
    sequence: z.int(),
    role: z.string(),
    quote: z.string(),
    context: sourceContext,
  })
  .meta({ id: 'RecordSource' });

/** A record in AgentBase's field names (snake_case), with its sources. */
export const recordView = z
  .object({
    id: z.uuid(),
    memory: z.string(),
    score: z.number().nullable().describe('0-1, higher is better; null outside a search.'),
    namespace: z.string(),
    strategyId: z.uuid().nullable(),
    strategyVersion: z.int().nullable(),
    extractor: z.string(),
    model: z.string().nullable(),
    strength: z
      .enum(STRENGTHS)
      .nullable()
      .describe('Strength of a stated preference; null for records of other strategies.'),
    timesSeen: z.int().describe('Number of messages that state it; 0 for an inserted record.'),
    saidAt: stamp.describe('When it was last stated: the time of its newest source.'),
    eventTime: z
      .object({ from: z.iso.date().nullable(), to: z.iso.date().nullable() })
      .nullable()
      .describe('The days it refers to, inclusive; null if its text names none.'),
    sources: z.array(recordSourceView),
    supersededBy: z.uuid().nullable().describe('The record that is current instead; null if this one is current.'),
    validTo: stamp.nullable().describe('When it stopped being true; null if it is current.'),
    created_at: stamp,
    updated_at: stamp,
  })
  .meta({ id: 'MemoryRecord' });

/** Results for the records of a request, in the same order. */
export const insertedRecordsView = z
  .object({
    records: z.array(
      z.object({
        id: z.uuid(),
        memory: z.string(),
        namespace: z.string(),
        created: z
          .boolean()
          .describe('False if the namespace already holds this fact; the id is then that of the existing record.'),
      }),
    ),
  })
  .meta({ id: 'InsertedRecords' });

export const acceptedView = z.object({ status: z.literal('accepted') }).meta({ id: 'Accepted' });

/** Extraction progress of a memory's strategies. */
export const extractionView = z
  .object({
    caughtUp: z.boolean(),
    strategies: z.array(
      z.object({
        strategyId: z.uuid(),
        pendingSessions: z.int(),
        waitingForBudget: z.int().describe('Pending sessions that wait for the token budget of the next day (UTC).'),
        parkedSessions: z.int(),
        records: z.int(),
        modelCalls: z.int(),
        inputTokens: z.int(),
        outputTokens: z.int(),
      }),
    ),
  })
  .meta({ id: 'ExtractionProgress' });
