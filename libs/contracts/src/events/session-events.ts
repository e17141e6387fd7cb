import { z } from 'zod';
import { count, id, jsonObject } from './parts.js';

export const sessionEvents = {
  'message.appended': [
    z.object({
      payloadType: z.string(),
      role: z.string(),
      content: z.string(),
      turnId: z.number().optional(),
      timestamp: z.number().optional(),
      metadata: jsonObject.optional(),
      toolCalls: z.array(jsonObject).optional(),
      toolCallId: z.string().optional(),
      extra: jsonObject.optional(),
    }),
  ],
  'message.interrupted': [
    z.object({ messageEventId: id, heard: z.string().nullable(), interruptTimestamp: z.number().optional() }),
  ],
  'binary.appended': [z.object({ payloadType: z.string(), binaryData: z.string(), metadata: jsonObject.optional() })],
  'history.reset': [z.object({ agentId: id.nullable(), reason: z.string() })],
  'content.submitted': [z.object({ role: z.string(), content: z.string() })],
  'content.erased': [
    z.object({
      target: z.enum(['event', 'session', 'actor']),
      sessionKeys: z.array(z.number().int()),
      position: z.number().int().nullable(),
      withdrawnRecords: count,
      agentIds: z.array(id).optional(),
      receivers: z.array(id).optional(),
    }),
  ],
  'memory_state.captured': [
    z.object({
      version: z.number().int(),
      facts: z.array(z.string()),
      summary: z.string(),
      contextText: z.string(),
      turnsSinceGen: z.number(),
      totalTurns: z.number(),
      itemsTrimmed: z.number(),
      maxFacts: z.number(),
      extra: jsonObject.optional(),
    }),
  ],
} as const;
