import type { Agent } from '../agent/agent.js';
import { agoraContentOf, type AgoraContent } from '../session/agora-content.js';
import { originalOf, type MessageEvent } from '../session/fold-messages.js';
import { speakerOrUserIn } from '../session/message-metadata.js';
import { isAssistantRole, isUserRole } from '../session/roles.js';
import { stampMs } from '../session/stamp.js';
import { modelLine } from '../model-text/model-text.js';

/** Options of an agent's model request (from Agora's guide for a custom model). */
export interface LlmRequestOptions {
  /** Prefix each content with its time: the platform's timestamp, else the time it was recorded. */
  readonly times: boolean;
  /** Prefix user content with the speaker's name, else with the platform's id of the user, if the metadata has one. */
  readonly users: boolean;
  /** Use the generated text of interrupted messages instead of what was heard. */
  readonly original: boolean;
  /** Whether the answer may be interrupted; sent to custom models only. */
  readonly interruptable: boolean;
}

export interface LlmRequestInput {
  readonly agent: Pick<Agent, 'vendor' | 'systemMessages' | 'params'>;
  /** Oldest first. */
  readonly window: readonly MessageEvent[];
  /** The block of long-term memory to inject (`contextBlock`); empty for none. */
  readonly memory: string;
  readonly options: LlmRequestOptions;
  /** Time of the request (ms since 1970). */
  readonly nowMs: number;
}

/** Body of a chat-completions request; the agent's parameters are added next to `messages`. */
export interface LlmRequest {
  readonly messages: readonly { readonly [field: string]: unknown }[];
  readonly [parameter: string]: unknown;
}

/** `llm.vendor` of a model that accepts every field (Agora's guide, "Custom scenario"). */
const CUSTOM = 'custom';

/**
 * Builds an agent's model request: its system messages, the long-term memory, then the window.
 *
 * Standard vendors get only `role` and `content`, plus the tool-call fields that the API requires; messages with
 * unknown roles are left out. A `custom` vendor gets every field, and `turn_id`, `timestamp` and `interruptable` next
 * to `messages`: turn and timestamp of the newest message that has them, unchanged.
 */
export const llmRequest = (input: LlmRequestInput): LlmRequest => {
  const { agent, window, memory, options, nowMs } = input;
  const before = [...agent.systemMessages, ...(memory === '' ? [] : [{ role: 'system', content: memory }])];
  if (agent.vendor !== CUSTOM) {
    return { ...agent.params, messages: [...before, ...window.flatMap((message) => plainMessage(message, options))] };
  }
  const turnId = window.findLast(({ data }) => data.turnId !== undefined)?.data.turnId;
  return {
    ...agent.params,
    messages: [...before, ...window.map((message) => customMessage(message, options))],
    ...(turnId === undefined ? {} : { turn_id: turnId }),
    timestamp: window.findLast(({ data }) => data.timestamp !== undefined)?.data.timestamp ?? nowMs,
    interruptable: options.interruptable,
  };
};

const customMessage = (message: MessageEvent, options: LlmRequestOptions): AgoraContent => ({
  ...agoraContentOf(message.data),
  content: spoken(message, options),
});

const PLAIN_ROLES: ReadonlySet<string> = new Set(['developer', 'system', 'user', 'assistant', 'tool']);

const plainMessage = (message: MessageEvent, options: LlmRequestOptions): { readonly [field: string]: unknown }[] => {
  const { toolCalls, toolCallId } = message.data;
  const role = plainRole(message.data.role);
  if (!PLAIN_ROLES.has(role)) return [];
  return [
    {
      role,
      content: spoken(message, options),
      ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
      ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
    },
  ];
};

const plainRole = (role: string): string => {
  if (isUserRole(role)) return 'user';
  return isAssistantRole(role) ? 'assistant' : role.toLowerCase();
};

/** The content with the prefixes selected by the options: `[2026-01-01T10:00:00.000Z] ada: hello`. */
const spoken = (message: MessageEvent, options: LlmRequestOptions): string => {
  const content = options.original ? originalOf(message) : message.data.content;
  const name = options.users && isUserRole(message.data.role) ? labelOf(message.data.metadata) : null;
  const time = options.times ? timeOf(message) : null;
  return `${time === null ? '' : `[${time}] `}${name === null ? '' : `${name}: `}${content}`;
};

const labelOf = (metadata: MessageEvent['data']['metadata']): string | null =>
  modelLine(speakerOrUserIn(metadata) ?? '') || null;

/** Maximum value of a `Date` (ms); larger timestamps are ignored. */
const LAST_DATE_MS = 8.64e15;

const timeOf = ({ data, occurredAt, recordedAt }: MessageEvent): string => {
  const ms = data.timestamp === undefined ? Number.NaN : stampMs(data.timestamp);
  return Math.abs(ms) <= LAST_DATE_MS ? new Date(ms).toISOString() : (occurredAt ?? recordedAt);
};
