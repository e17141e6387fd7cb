/** JSON as it came; kept verbatim. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One turn's utterance. */
export interface MessageAppended {
  /** AgentBase's payload type as the client spelt it, e.g. `CONVERSATIONAL`. */
  readonly payloadType: string;
  /** `user`, `assistant`, `system`, `tool`, … as the client spelt it. */
  readonly role: string;
  /** What was said and heard. May be empty (voice platforms send empty user turns). */
  readonly content: string;
  /** The voice platform's turn number; never assumed to start at 0 or 1. */
  readonly turnId?: number;
  /** The platform's own stamp as it came, milliseconds or seconds since 1970 (`stampMs`); never used for order. */
  readonly timestamp?: number;
  /** Source, interruption, speaker and anything else the client attached. */
  readonly metadata?: { readonly [key: string]: Json };
  /** Calls that an assistant made, as OpenAI spells them; their results follow as messages of role `tool`. */
  readonly toolCalls?: readonly { readonly [key: string]: Json }[];
  /** On a `tool` message: the id of the call that it answers. */
  readonly toolCallId?: string;
  /** Whatever else the platform put on the message (`speech_start_ms`, `name`, …), verbatim. */
  readonly extra?: { readonly [key: string]: Json };
}

/** An assistant's message was cut short after it had been appended: less of it was heard than was written. */
export interface MessageInterrupted {
  /** The message that was cut. */
  readonly messageEventId: string;
  /** What was heard of it; null when unknown. */
  readonly heard: string | null;
  /** The platform's own stamp of the cut as it came, milliseconds or seconds since 1970. */
  readonly interruptTimestamp?: number;
}

/** Earlier messages leave the window. The log keeps them. */
export interface HistoryReset {
  /** Whose window: one agent's, or null for the session's own (context, exact match, later agents). */
  readonly agentId: string | null;
  readonly reason: string;
}

/** A binary event, as checkpointers store them. Carries no text for extraction. */
export interface BinaryAppended {
  readonly payloadType: string;
  /** Base64 of the bytes. */
  readonly binaryData: string;
  readonly metadata?: { readonly [key: string]: Json };
}

/** A message that was given for extraction alone. It is part of no conversation: no history or window shows it. */
export interface ContentSubmitted {
  readonly role: string;
  readonly content: string;
}
