import { AGENT_ACTIONS } from '@turnkeeper/domain';
import { z } from 'zod';
import { count, id, instant, jsonObject } from './parts.js';

const systemMessages = z.array(jsonObject);
const ended = z.object({ agentId: id, reason: z.string(), stoppedAt: instant.optional() });

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
      vendorAgentId: z.string().optional(),
      startedAt: instant.optional(),
    }),
  ],
  'agent.updated': [
    z.object({ agentId: id, systemMessages: systemMessages.optional(), params: jsonObject.optional() }),
  ],
  'agent.stopped': [ended],
  'agent.failed': [ended],
  'agent.instructed': [
    z.object({ agentId: id, action: z.enum(AGENT_ACTIONS), text: z.string().nullable(), options: jsonObject }),
  ],
} as const;
