import { z } from 'zod';
import { count, id, jsonObject } from './parts.js';

const systemMessages = z.array(jsonObject);
const ended = z.object({ agentId: id, reason: z.string() });

export const agentEvents = {
  'agent.started': [
    z.object({
      agentId: id,
      name: z.string(),
      vendor: z.string(),
      systemMessages,
      params: jsonObject,
      maxHistory: count,
      labels: jsonObject,
      channel: z.string().nullable(),
      idleTimeoutSeconds: count.optional(),
      loadHistory: count.optional(),
      appId: z.string().nullable().optional(),
    }),
  ],
  'agent.updated': [
    z.object({ agentId: id, systemMessages: systemMessages.optional(), params: jsonObject.optional() }),
  ],
  'agent.stopped': [ended],
  'agent.failed': [ended],
} as const;
