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
    content: z.string().nullable().describe('What was said; null when it is not readable any more.'),
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
      .array(z.enum(['made', 'confirmed', 'superseded', 'superseded_another']))
      .describe('What this run did to the record; superseded_another: it took the place of another one.'),
    actorId: z.string().nullable(),
    sessionId: z.string().nullable(),
    fromSequence: z.int(),
    toSequence: z.int(),
    strategyId: z.uuid(),
    strategyVersion: z.int(),
    strategy: z
      .object({ name: z.string(), type: z.enum(STRATEGY_TYPES), customFactExtractionPrompt: z.string().nullable() })
      .nullable()
      .describe('The strategy as it was in this version.'),
    extractor: z.string(),
    model: z.string().nullable(),
    promptHash: z.string(),
    prompt: z
      .string()
      .nullable()
      .describe('The instructions that the model was given; null for rules, or when this release gives others.'),
    rawAnswer: z.string().nullable().describe('As it came; null when an erasure took it away.'),
    refused: z.record(z.string(), z.int()).describe('Candidates of the same answer that were not taken, by reason.'),
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
    runs: z.array(explainedRunView).describe('Runs of strategies that had to do with it, oldest first.'),
    changes: z
      .array(
        z.object({
          eventId: z.uuid(),
          recordedAt: stamp,
          kind: z.enum(['stated', 'corrected', 'carried_over', 'supersession_withdrawn']),
        }),
      )
      .describe('What else happened to it, oldest first; carried_over: an erasure touched what it rests on.'),
    supersedes: z.array(lineageLinkView).describe('What it took the place of, directly or through others.'),
    supersededBy: z.array(lineageLinkView).describe('What took its place, and what took the place of that.'),
  })
  .meta({ id: 'RecordExplanation' });
