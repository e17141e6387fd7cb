import { z } from 'zod';
import { count, id, instant, jsonObject, sequence, slot, source, strategy } from './parts.js';

const { shape: strategyShape } = strategy;
const strategyVersion = strategyShape.version;
const sources = z.array(source);
/** Windows of one session and strategy cover 1..watermark without gaps. */
const window = { fromSequence: sequence, toSequence: sequence };

/** Days, both included. */
const eventTime = z.object({ from: z.string().nullable(), to: z.string().nullable() });

/** Absent on events of releases that had none. */
const details = {
  category: z.string().nullable().optional(),
  subject: z.string().nullable().optional(),
  attribute: z.object({ name: z.string(), value: z.string(), single: z.boolean() }).nullable().optional(),
  strength: z.string().nullable().optional(),
  data: jsonObject.nullable().optional(),
  doubts: z.array(z.string()).optional(),
};

const rolling = z.object({
  facts: z.array(z.object({ recordId: id, text: z.string() })),
  summary: z.string().nullable(),
  turns: count,
  items: count,
});

export const recordEvents = {
  'extraction.answered': [
    z.object({
      strategyId: id,
      strategyVersion,
      ...window,
      shown: z.string(),
      knowsSummary: z.boolean().optional(),
      existing: z.array(id).optional(),
      extractor: z.string(),
      model: z.string().nullable(),
      promptHash: z.string(),
      rawAnswer: z.string(),
      usage: z.object({ inputTokens: count, outputTokens: count }).nullable(),
      failure: z.string().nullable(),
    }),
  ],
  'records.extracted': [
    z.object({
      strategyId: id,
      strategyVersion,
      ...window,
      extractor: z.string(),
      model: z.string().nullable(),
      promptHash: z.string(),
      rawAnswer: z.string(),
      answerEventId: id.nullable().optional(),
      records: z.array(
        z.object({
          recordId: id,
          text: z.string(),
          namespace: z.string(),
          sources,
          statedAt: instant,
          slot: slot.nullable(),
          eventTime: eventTime.nullable().optional(),
          ...details,
        }),
      ),
      confirmed: z.array(z.object({ recordId: id, sources, statedAt: instant })),
      continued: z.array(z.object({ recordId: id, sources })).optional(),
      superseded: z.array(z.object({ recordId: id, by: id })),
      refused: z.array(z.object({ text: z.string(), reason: z.string() })),
      rolling: rolling.nullable().optional(),
      skipped: z.record(z.string(), count).optional(),
      unknownRelations: count.optional(),
    }),
  ],
  'records.inserted': [
    z.object({
      records: z.array(z.object({ recordId: id, text: z.string(), namespace: z.string(), strategyId: id.nullable() })),
    }),
  ],
  'records.withdrawn': [
    z.object({ recordIds: z.array(id), reason: z.enum(['requested', 'source_erased', 'not_heard']) }),
  ],
  'records.carried_over': [
    z.object({
      records: z.array(
        z.object({
          recordId: id,
          text: z.string(),
          namespace: z.string(),
          strategyId: id.nullable(),
          strategyVersion: strategyVersion.nullable(),
          actorId: z.string().nullable(),
          extractor: z.string(),
          model: z.string().nullable(),
          promptHash: z.string().nullable(),
          slot: slot.nullable(),
          eventTime: eventTime.nullable().optional(),
          ...details,
          sources,
          statedAt: instant,
          createdAt: instant,
          updatedAt: instant,
          supersededBy: id.nullable(),
          validTo: instant.nullable(),
        }),
      ),
    }),
  ],
  'record.corrected': [z.object({ recordId: id, text: z.string() })],
  'supersession.withdrawn': [z.object({ recordId: id })],
} as const;
