import { DOUBTS, RECORD_CATEGORIES, STRENGTHS } from '@turnkeeper/domain';
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

const attributeView = z
  .object({
    name: z.string().describe('For example `phone_number`, `policy_number` or `home_address`.'),
    value: z.string().describe('In the usual written form, for example `NG44712B` for "n g double four 7 1 2 b".'),
    single: z.boolean().describe('A newer value of the same attribute and subject supersedes it.'),
  })
  .meta({ id: 'AttributeValue' });

/** A record in AgentBase's field names (snake_case), with its sources. */
export const recordView = z
  .object({
    id: z.uuid(),
    memory: z.string(),
    score: z.number().nullable().describe('0-1, higher is better; null outside a search.'),
    explain: z
      .object({
        words: z.number().describe("Share of the query's words in the record and its quotes, 0-1."),
        meaning: z
          .number()
          .nullable()
          .describe('Similarity of its meaning to the query, at most 1; null without vectors.'),
        turns: z.number().describe('Score of the turns that it is based on, with their neighbours, 0-1.'),
      })
      .optional()
      .describe('What led to the record; present if the search asks for it.'),
    namespace: z.string(),
    strategyId: z.uuid().nullable(),
    strategyVersion: z.int().nullable(),
    extractor: z.string(),
    model: z.string().nullable(),
    category: z
      .enum(RECORD_CATEGORIES)
      .nullable()
      .describe(
        'What it tells: `fact` (a state or attribute), `preference` (also habits and constraints), `plan`, `request`, `commitment` (of the agent) or `event`; null if it was inserted.',
      ),
    subject: z
      .string()
      .nullable()
      .describe('Whom or what it is about, as named in the conversation; null: the actor of the session.'),
    attribute: attributeView.nullable().describe('The typed value that it states; null if it states none.'),
    strength: z.enum(STRENGTHS).nullable().describe('Strength of a stated preference; null if unknown.'),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Structured data that fits the output schema of its CUSTOM strategy; else null.'),
    doubts: z
      .array(z.enum(DOUBTS))
      .describe(
        'What could not be verified: `number_not_in_source` (a number does not follow from the cited messages), `name_not_in_source` (a name occurs in no message that was read).',
      ),
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

/** The current typed values of an actor. */
export const actorProfileView = z
  .object({
    actorId: z.string(),
    attributes: z
      .array(
        z.object({
          name: z.string(),
          value: z.string(),
          subject: z.string().nullable().describe('Whom or what it is about; null: the actor.'),
          saidAt: stamp.describe('When it was last stated.'),
          recordId: z.uuid().describe('The record that states it.'),
          memory: z.string().describe("The record's text, which quotes what was said."),
          namespace: z.string(),
        }),
      )
      .describe('By name; of several values that are true together, the newest first.'),
  })
  .meta({ id: 'ActorProfile' });

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
