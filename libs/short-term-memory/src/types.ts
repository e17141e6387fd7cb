export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Free keys and values, at most 16 levels deep. */
export type Metadata = { readonly [key: string]: JsonValue };

/** One message of a session. */
export interface ContextMessage {
  readonly role: string;
  /** What was said, or the part of it that was heard. */
  readonly content: string;
  readonly metadata: Metadata | null;
  /** ISO 8601. The list is ordered by position, not by this time. */
  readonly timestamp: string;
}

export interface ExactMatchOptions {
  /** Search this session only. Default: all of them. */
  readonly sessionId?: string;
  /** Also search the sessions of the memory's other actors. Default: false. */
  readonly everyActor?: boolean;
  /** Which answer to return if several match. Default `newest`. */
  readonly prefer?: 'newest' | 'oldest';
}
