import { conversationMessageView } from '@turnkeeper/contracts';
import { z } from 'zod';

/** Responses of Agora's agent API (REST reference), as this server sends them. */

const seconds = z.int().describe('Seconds since 1970.');
const status = z.enum(['RUNNING', 'STOPPED', 'FAILED']);
const agentId = z.string().describe("The agent's id; for an agent that runs at Agora, Agora's id.");

export const agoraRefusalView = z
  .object({ detail: z.string(), reason: z.string(), agent_id: z.string().optional() })
  .meta({
    id: 'AgoraError',
    description: 'Every error of Agora’s API, with the reasons from its reference.',
  });

export const agoraTaskView = z.object({ agent_id: agentId, create_ts: seconds, status }).meta({ id: 'AgoraTask' });

export const agoraUpdateView = z.object({
  agent_id: agentId,
  create_ts: seconds,
  status,
  state: status.describe('The same value, in the field that Agora’s Go client reads.'),
});

export const agoraActionView = z
  .object({ agent_id: agentId, channel: z.string(), start_ts: seconds })
  .meta({ id: 'AgoraAction' });

export const agoraDetailView = z.object({
  message: z.string(),
  start_ts: seconds,
  stop_ts: seconds,
  name: z.string(),
  status,
  agent_id: agentId,
});

export const agoraListView = z.object({
  data: z.object({
    count: z.int(),
    list: z.array(z.object({ start_ts: seconds, status, agent_id: agentId })),
  }),
  meta: z.object({ cursor: z.string(), total: z.int() }),
  status: z.literal('ok'),
});

export const agoraHistoryView = z.object({
  agent_id: agentId,
  start_ts: seconds,
  status,
  contents: z.array(conversationMessageView),
  truncated: z.literal(true).optional().describe('The history is too long, so its beginning is omitted.'),
  meta: z
    .object({ cursor: z.string(), total: z.int() })
    .optional()
    .describe(
      'With `limit`: the cursor of the next page, empty on the last one, and the number of remaining messages.',
    ),
});

const turnView = z.object({
  agent_id: agentId,
  channel: z.string(),
  turn_id: z.int(),
  start: z.object({
    start_at: z.number().describe('Milliseconds since 1970.'),
    type: z.enum(['voice_input', 'greeting', 'silence_timeout', 'api_speak', 'api_think']),
    metadata: z.object({}),
  }),
  end: z.object({
    end_at: z.number().describe('Milliseconds since 1970.'),
    type: z.enum(['ok', 'interrupted', 'error']),
    metadata: z.object({ reason: z.string().optional() }),
  }),
  metrics: z.object({ segmented_latency_ms: z.array(z.unknown()) }),
});

export const agoraTurnsView = z.object({
  agent_id: agentId,
  name: z.string(),
  channel: z.string(),
  total_turn_count: z.int(),
  pagination: z.object({ page_index: z.int(), total_pages: z.int(), is_last_page: z.boolean() }),
  turns: z.array(turnView),
});
