import { STRATEGY_TYPES } from '@turnkeeper/domain';
import { z } from 'zod';
import { recordView, sourceContext } from './record-views.js';

const stamp = z.iso.datetime({ offset: true });

const explainedSourceView = z
  .object({
    eventId: z.uuid(),
    sequence: z.int(),
    role: z.string(),
    quote: z.string(),
    context: sourceContext,
    state: z.enum(['readable', 'expired', 'erased']),
    content: z.string().nullable().describe('Text of the message; null if it is no longer readable.'),
    actorId: z.string().nullable(),
    sessionId: z.string().nullable(),
    at: stamp.nullable().describe('When it was said.'),
  })
  .meta({ id: 'ExplainedSource' });

const explainedRunView = z
  .object({
    eventId: z.uuid(),
    recordedAt: stamp,
    did: z
      .array(z.enum(['made', 'confirmed', 'continued', 'superseded', 'superseded_another']))
      .describe(
        'Effect of the run on the record. `continued`: it added context from later messages. `superseded_another`: the record superseded another one.',
      ),
    actorId: z.string().nullable(),
    sessionId: z.string().nullable(),
    fromSequence: z.int(),
    toSequence: z.int(),
    strategyId: z.uuid(),
    strategyVersion: z.int(),
    strategy: z
      .object({ name: z.string(), type: z.enum(STRATEGY_TYPES), customFactExtractionPrompt: z.string().nullable() })
      .nullable()
      .describe('The strategy in that version.'),
    extractor: z.string(),
    model: z.string().nullable(),
    promptHash: z.string(),
    prompt: z
      .string()
      .nullable()
      .describe('The prompt without the conversation; null for rules, or if this release uses another prompt.'),
    rawAnswer: z.string().nullable().describe('The raw answer; null if it was erased.'),
    refused: z.record(z.string(), z.int()).describe('Number of rejected candidates of the same answer, by reason.'),
  })
  .meta({ id: 'ExplainedRun' });

const lineageLinkView = z
  .object({
    id: z.uuid(),
    memory: z.string(),
    statedAt: stamp,
    supersededBy: z.uuid().nullable(),
    validTo: stamp.nullable(),
  })
  .meta({ id: 'LineageLink' });

/** The evidence and history behind a record. */
export const recordExplanationView = z
  .object({
    record: recordView,
    statedAt: stamp.describe('When it was last stated.'),
    sources: z.array(explainedSourceView),
    runs: z.array(explainedRunView).describe('Extraction runs that affected the record, oldest first.'),
    changes: z
      .array(
        z.object({
          eventId: z.uuid(),
          recordedAt: stamp,
          kind: z.enum(['stated', 'corrected', 'carried_over', 'supersession_withdrawn']),
        }),
      )
      .describe('Other changes of the record, oldest first. `carried_over`: some of its sources were erased.'),
    supersedes: z.array(lineageLinkView).describe('Records that it superseded, directly or transitively.'),
    supersededBy: z
      .array(lineageLinkView)
      .describe('The record that superseded it, the one that superseded that, and so on.'),
  })
  .meta({ id: 'RecordExplanation' });
