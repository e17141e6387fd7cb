import type { Json, MessageAppended } from './session-events.js';

/** A message in Agora's format (their guide, "Understand the tech"), as in `contents` and `messages`. */
export interface AgoraContent {
  readonly role: string;
  /** Null if the assistant only calls tools. */
  readonly content: string | null;
  readonly turn_id?: number;
  /** Milliseconds or seconds since 1970, unchanged. */
  readonly timestamp?: number;
  readonly metadata?: { readonly [key: string]: Json };
  /** OpenAI's field names; Agora's documentation does not show them. */
  readonly tool_calls?: readonly { readonly [key: string]: Json }[];
  readonly tool_call_id?: string;
  /** Fields from other versions of the format (`speech_start_ms`, …). */
  readonly [field: string]: unknown;
}

/** Inverse of `messageOfContent`: a round trip returns an equal message. */
export const agoraContentOf = (data: MessageAppended): AgoraContent => ({
  ...data.extra,
  role: data.role,
  content: data.content === '' && data.extra?.['content'] === null ? null : data.content,
  ...(data.turnId === undefined ? {} : { turn_id: data.turnId }),
  ...(data.timestamp === undefined ? {} : { timestamp: data.timestamp }),
  ...(data.metadata === undefined ? {} : { metadata: data.metadata }),
  ...(data.toolCalls === undefined ? {} : { tool_calls: data.toolCalls }),
  ...(data.toolCallId === undefined ? {} : { tool_call_id: data.toolCallId }),
});

/** Expects validated input. Unknown fields are kept in `extra`, as is a `content` of null: messages have text. */
export const messageOfContent = (content: AgoraContent): MessageAppended => {
  const { role, content: text, turn_id, timestamp, metadata, tool_calls, tool_call_id, ...others } = content;
  const extra = text === null ? { ...others, content: null } : others;
  return {
    payloadType: 'CONVERSATIONAL',
    role,
    content: text ?? '',
    ...(turn_id === undefined ? {} : { turnId: turn_id }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(tool_calls === undefined ? {} : { toolCalls: tool_calls }),
    ...(tool_call_id === undefined ? {} : { toolCallId: tool_call_id }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: extra as { [key: string]: Json } }),
  };
};
