import { STRATEGY_TYPES } from '@turnkeeper/domain';
import { z } from 'zod';

const stamp = z.iso.datetime({ offset: true });

/** A memory in AgentBase's field names. */
export const memoryView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    eventExpiryDuration: z.int().describe('Days for which an event stays readable after it was recorded.'),
    status: z.enum(['ACTIVE']),
    createdAt: stamp,
    updatedAt: stamp,
  })
  .meta({ id: 'Memory' });

/** A strategy in AgentBase's field names, with the version that records reference. */
export const strategyView = z
  .object({
    id: z.uuid(),
    memoryId: z.uuid(),
    name: z.string(),
    type: z.enum(STRATEGY_TYPES),
    version: z.int(),
    namespaceTemplate: z.string(),
    enableAutomaticMemoryRecordGeneration: z.boolean(),
    customFactExtractionPrompt: z.string().nullable(),
    outputSchema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('JSON schema of the `data` of its records; null if there is none.'),
    rollingMemory: z
      .object({
        turn_interval: z.int(),
        max_facts: z.int(),
        max_memory_length: z.int(),
        max_transcript_items: z.int(),
        trim_after_summarize: z.boolean(),
      })
      .nullable()
      .describe('Settings of SUMMARY strategies; null for other types.'),
    status: z.enum(['ACTIVE', 'DISABLED']),
    createdAt: stamp,
    updatedAt: stamp,
  })
  .meta({ id: 'Strategy' });

export const createdMemoryView = memoryView
  .extend({ longTermMemoryStrategies: z.array(strategyView) })
  .meta({ id: 'CreatedMemory' });
