/** What a client needs to correct a rejected request. Never contains the offending value. */
export interface ErrorDetails {
  /** The same for every occurrence of the code. Default: the message, if it never varies. */
  readonly title?: string;
  /** Path of the invalid field as sent, e.g. `events.3.payload.message`. */
  readonly field?: string;
  /** The rule as a predicate of the field, e.g. `must have at most 100,000 characters`. */
  readonly rule?: string;
  /** What to do next, in one sentence. */
  readonly next?: string;
  /** Machine-readable details, e.g. `currentSequence`. */
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * A violated business rule. `code` is the stable contract, `<noun>.<reason>`; `message` is for people and may change.
 * `kind` is the category; only the HTTP layer maps it to a status.
 */
export abstract class DomainError extends Error {
  abstract readonly code: string;
  abstract readonly kind:
    | 'invalid'
    | 'not_found'
    | 'conflict'
    | 'mismatch'
    | 'precondition'
    | 'unauthenticated'
    | 'forbidden'
    | 'limited'
    | 'late';

  constructor(
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
    this.name = new.target.name;
  }
}

type Wording = ErrorDetails & { readonly message: string };

/**
 * The base class of an error: `class X extends refusal(code, kind, { message, … }) {}`, or with a function of the
 * constructor's arguments if its text varies.
 */
export const refusal = <const Code extends string, const Kind extends DomainError['kind'], Args extends unknown[] = []>(
  code: Code,
  kind: Kind,
  wording: Wording | ((...args: Args) => Wording),
) =>
  class extends DomainError {
    readonly code: Code = code;
    readonly kind: Kind = kind;
    constructor(...args: Args) {
      const { message, ...details } = typeof wording === 'function' ? wording(...args) : wording;
      super(message, details);
    }
  };

export class MemoryNotFound extends refusal('memory.not_found', 'not_found', {
  message: 'There is no such memory.',
  field: 'memoryId',
  rule: 'must name a memory of this tenant',
  next: 'List the memories with GET /memory/memories and use an id from there.',
}) {}

export class MemoryExists extends refusal('memory.exists', 'conflict', {
  message: 'A memory with this id already exists.',
  field: 'memoryId',
  rule: 'must be unique',
  next: 'Send the file with ids=new, which imports it as a copy with new ids.',
}) {}

export class SequenceConflict extends DomainError {
  readonly code = 'session.sequence_conflict';
  readonly kind = 'conflict';
  /** @param currentSequence the session's newest sequence; 0 if it has no events */
  constructor(readonly currentSequence: number) {
    super(`expectedSequence must equal the session's newest sequence, which is ${currentSequence}.`, {
      title: 'The session is not at the expected sequence.',
      field: 'expectedSequence',
      rule: "must equal the session's newest sequence",
      next: 'Read the events after the sequence you know, then append again with the current one.',
      facts: { currentSequence },
    });
  }
}

export class IdempotencyMismatch extends refusal('idempotency.body_differs', 'mismatch', {
  message: 'This Idempotency-Key was used with another body.',
  field: 'Idempotency-Key',
  rule: 'must be new for a new body',
  next: 'Send the first body again, or use a new key.',
}) {}

/** A repeat of an append whose content was erased. It is never stored a second time. */
export class RepeatOfErased extends refusal('idempotency.content_erased', 'conflict', {
  message: 'What this request stored has been erased since. It is not stored again.',
  title: 'The content of this request was stored and erased.',
  field: 'Idempotency-Key',
  rule: 'must be new for content that is not stored yet',
  next: 'Stop repeating the request. To store the content all the same, send it with a new key or event id.',
}) {}

export class IdempotencyInProgress extends refusal('idempotency.in_progress', 'conflict', {
  message: 'The first request with this Idempotency-Key is still running.',
  field: 'Idempotency-Key',
  rule: 'must not be in use by a running request',
  next: 'Send the request again in a second.',
}) {}

/** The request was interrupted, or its stored answer was erased. It is never carried out a second time. */
export class IdempotencyAnswerMissing extends refusal('idempotency.answer_missing', 'conflict', {
  message: 'The first request was interrupted, or its answer was erased together with the data it was about.',
  title: 'The first answer to this Idempotency-Key is not available.',
  field: 'Idempotency-Key',
  rule: 'must be new if the first answer is not available',
  next: 'Check whether the first request was carried out. If it was not, send it with a new key.',
}) {}
