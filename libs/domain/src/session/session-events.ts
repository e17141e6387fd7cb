/** JSON, stored unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One message of a turn. */
export interface MessageAppended {
  /** AgentBase's payload type as the client spelled it, e.g. `CONVERSATIONAL`. */
  readonly payloadType: string;
  /** `user`, `assistant`, `system`, `tool`, … as the client spelled it. */
  readonly role: string;
  /** What was said and heard. May be empty, because voice platforms send empty user turns. */
  readonly content: string;
  /** The voice platform's turn number; need not start at 0 or 1. */
  readonly turnId?: number;
  /**
   * The platform's own timestamp, unchanged: milliseconds or seconds since 1970 (`stampMs`). Never used for ordering.
   */
  readonly timestamp?: number;
  /** Source, interruption, speaker and any other data from the client. */
  readonly metadata?: { readonly [key: string]: Json };
  /** Tool calls by the assistant in OpenAI's format. Results follow as messages with role `tool`. */
  readonly toolCalls?: readonly { readonly [key: string]: Json }[];
  /** On a `tool` message: the id of the call that it answers. */
  readonly toolCallId?: string;
  /** Other platform fields of the message (`speech_start_ms`, `name`, …), unchanged. */
  readonly extra?: { readonly [key: string]: Json };
}

/** An assistant message was cut short after it was appended: only part of the text was heard. */
export interface MessageInterrupted {
  /** Id of the message that was cut. */
  readonly messageEventId: string;
  /** The part that was heard; null if unknown. */
  readonly heard: string | null;
  /** The platform's own timestamp of the interruption, unchanged: milliseconds or seconds since 1970. */
  readonly interruptTimestamp?: number;
}

/** Removes earlier messages from the window. They stay in the log. */
export interface HistoryReset {
  /** The agent whose window is reset; null for the session's own (context, exact match, later agents). */
  readonly agentId: string | null;
  readonly reason: string;
}

/** A binary event, as written by checkpointers. Has no text to extract from. */
export interface BinaryAppended {
  readonly payloadType: string;
  /** Base64. */
  readonly binaryData: string;
  readonly metadata?: { readonly [key: string]: Json };
}

/** A message submitted for extraction only. It belongs to no conversation and never appears in a history or window. */
export interface ContentSubmitted {
  readonly role: string;
  readonly content: string;
}
