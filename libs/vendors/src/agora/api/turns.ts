import { assignTurns, isAssistantRole, isUserRole, stampMs, type Agent, type MessageEvent } from '@turnkeeper/domain';
import { agoraIdOf } from './responses.js';

/** Agora's `start.type` of a turn, by the source of its first message. */
const STARTS: Readonly<Record<string, string>> = {
  greeting: 'greeting',
  silence: 'silence_timeout',
};

const startOf = ({ data }: MessageEvent): string => {
  const { source } = data.metadata ?? {};
  if (source === 'command') return isUserRole(data.role) ? 'api_think' : 'api_speak';
  return STARTS[String(source)] ?? 'voice_input';
};

/** Agora's `end` of a turn, as far as its messages tell. */
const endOf = (messages: readonly MessageEvent[]) => {
  const answers = messages.filter(({ data }) => isAssistantRole(data.role));
  if (answers.some(({ data }) => data.metadata?.['source'] === 'llm_failure')) {
    return { type: 'error', metadata: { reason: 'LLM_REQUEST_ERR' } };
  }
  return {
    type: answers.some(({ data }) => data.metadata?.['interrupted'] === true) ? 'interrupted' : 'ok',
    metadata: {},
  };
};

const at = ({ data, occurredAt, recordedAt }: MessageEvent): number =>
  data.timestamp === undefined ? Date.parse(occurredAt ?? recordedAt) : stampMs(data.timestamp);

/**
 * The conversation by turns (Agora's `turns`). Latencies are known to the engine only, so `metrics` lists none.
 *
 * @param messages oldest first
 * @param page 1-based
 */
export const agentTurns = (
  agent: Agent,
  messages: readonly MessageEvent[],
  page: { readonly index: number; readonly size: number },
) => {
  const turns = new Map<number, MessageEvent[]>();
  const numbered = assignTurns(
    messages.map(({ data }) => data),
    [],
    { nowMs: 0 },
  );
  messages.forEach((message, index) => {
    const turn = numbered[index]?.turnId ?? 0;
    const known = turns.get(turn);
    if (known === undefined) turns.set(turn, [message]);
    else known.push(message);
  });
  const pages = Math.max(1, Math.ceil(turns.size / page.size));
  const ids = { agent_id: agoraIdOf(agent), channel: agent.channel ?? '' };
  return {
    agent_id: ids.agent_id,
    name: agent.name,
    channel: ids.channel,
    total_turn_count: turns.size,
    pagination: { page_index: page.index, total_pages: pages, is_last_page: page.index >= pages },
    turns: [...turns].slice((page.index - 1) * page.size, page.index * page.size).flatMap(([turn_id, said]) => {
      const [first, last] = [said[0], said.at(-1)];
      if (first === undefined || last === undefined) return [];
      return {
        ...ids,
        turn_id,
        start: { start_at: at(first), type: startOf(first), metadata: {} },
        end: { end_at: at(last), ...endOf(said) },
        metrics: { segmented_latency_ms: [] },
      };
    }),
  };
};
