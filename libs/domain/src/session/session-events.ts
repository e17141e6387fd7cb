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
  /** The platform's own stamp in milliseconds since 1970; never used for order. */
  readonly timestamp?: number;
  /** Source, interruption, speaker and anything else the client attached. */
  readonly metadata?: { readonly [key: string]: Json };
}

/** A binary event, as checkpointers store them. Carries no text for extraction. */
export interface BinaryAppended {
  readonly payloadType: string;
  /** Base64 of the bytes. */
  readonly binaryData: string;
  readonly metadata?: { readonly [key: string]: Json };
}
