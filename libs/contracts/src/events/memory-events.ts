import { z } from 'zod';
import { id, strategy } from './parts.js';

const days = z.number().int().positive();

export const memoryEvents = {
  'memory.created': [
    z.object({
      name: z.string(),
      description: z.string(),
      eventExpiryDuration: days,
      strategies: z.array(strategy),
    }),
  ],
  'memory.described': [z.object({ description: z.string() })],
  'memory.renamed': [z.object({ name: z.string() })],
  'memory.expiry_changed': [z.object({ eventExpiryDuration: days, appliedToExisting: z.boolean() })],
  'memory.deleted': [z.object({})],
  'strategy.added': [z.object({ strategy })],
  'strategy.revised': [z.object({ strategy })],
  'strategy.disabled': [z.object({ strategyId: id })],
  'strategy.enabled': [z.object({ strategyId: id })],
  'strategy.deleted': [z.object({ strategyId: id })],
} as const;
