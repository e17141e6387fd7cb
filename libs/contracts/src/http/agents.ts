import { z } from 'zod';
import { actorId, jsonObject, sessionId, text, uuid } from './common.js';

export const startAgentBody = z.strictObject({
  memoryId: uuid,
  actorId,
  sessionId,
  /** Unique among the tenant's running agents. */
  name: text(255, 1),
  /** `openai`, `azure`, `custom`, …: decides what the model is given. */
  vendor: text(64, 1).default('openai'),
  systemMessages: z.array(jsonObject).max(100, 'must have at most 100 messages').default([]),
  params: jsonObject.default({}),
  /** Messages of the window and of the history webhook (Agora's `llm.max_history`). */
  maxHistory: z.number().int().min(1, 'must be at least 1').max(1_024, 'must be at most 1,024').default(32),
  labels: jsonObject.default({}),
  channel: text(255, 1).nullable().default(null),
});
export type StartAgentBody = z.infer<typeof startAgentBody>;

export const stopAgentBody = z.strictObject({ reason: text(120, 1).default('requested') });
