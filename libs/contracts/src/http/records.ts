import { z } from 'zod';
import { actorId, sessionId, text, uuid } from './common.js';

/** A resolved namespace, matched exactly. */
export const namespaceQuery = z.strictObject({ namespace: text(1_024, 1) });

export const listRecordsQuery = namespaceQuery.extend({
  limit: z.coerce.number().int().min(1, 'must be at least 1').max(1_000, 'must be at most 1,000').default(100),
});

/** AgentBase's limits ("Memory Service Limits" in their guide). */
export const searchRecordsBody = z.strictObject({
  query: text(1_000, 1),
  limit: z.number().int().min(5, 'must be at least 5').max(200, 'must be at most 200').default(100),
  /** 0–1; higher is stricter. */
  scoreThreshold: z.number().min(0, 'must be at least 0').max(1, 'must be at most 1').default(0),
});
export type SearchRecordsBody = z.infer<typeof searchRecordsBody>;

export const generateFromSessionQuery = z.strictObject({
  actorId,
  sessionId,
  longTermMemoryStrategyId: uuid,
});
