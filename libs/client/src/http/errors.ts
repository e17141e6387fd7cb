import type { ErrorCode } from '../api/error-codes.generated.js';
import type { Problem } from '../api/types.js';

/** A code of the API's error catalogue. Newer servers can send codes that this version does not know. */
export type TurnkeeperErrorCode = ErrorCode | (string & {});

export interface FieldError {
  /** Path of the field in the request, e.g. `events.1.payload.message`. */
  readonly field: string;
  readonly rule: string;
}

/** The server rejected the request, or failed to answer it. */
export class TurnkeeperError extends Error {
  override readonly name: string = 'TurnkeeperError';
  /** Stable: use this one in code. `server.unknown` if the response did not come from Turnkeeper, e.g. from a proxy. */
  readonly code: TurnkeeperErrorCode;
  /** What is wrong with this request. */
  readonly detail: string | undefined;
  /** What to do next. */
  readonly next: string | undefined;
  /** Every invalid field of the request, at most 20. */
  readonly fields: readonly FieldError[];
  /** Also in the server's log. */
  readonly requestId: string | undefined;
  /** Requests sent, this one included. */
  attempts = 1;

  constructor(
    readonly status: number,
    /** The problem document as received. */
    readonly problem: Partial<Problem>,
    /** From `Retry-After`. */
    readonly retryAfterSeconds?: number,
  ) {
    const { code = 'server.unknown', title = `The server answered ${status}.`, detail } = problem;
    super(detail === undefined ? title : `${title} ${detail}`);
    this.code = code;
    this.detail = detail;
    this.next = problem.next;
    const one = problem.field === undefined ? [] : [{ field: problem.field, rule: problem.rule ?? '' }];
    this.fields = problem.issues ?? one;
    this.requestId = problem.requestId;
  }
}

/** There was no response: the server could not be reached, did not answer in time, redirects, or the connection broke. */
export class TurnkeeperConnectionError extends Error {
  override readonly name = 'TurnkeeperConnectionError';
  attempts = 1;

  constructor(
    readonly code: 'client.unreachable' | 'client.timeout' | 'client.redirected',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Narrows an unknown error to a refusal, optionally with this code. */
export const isTurnkeeperError = (error: unknown, code?: TurnkeeperErrorCode): error is TurnkeeperError =>
  error instanceof TurnkeeperError && (code === undefined || error.code === code);

const secondsOf = (retryAfter: string | null): number | undefined => {
  if (retryAfter === null) return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1_000);
};

export const errorOf = (response: Response, text: string): TurnkeeperError => {
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const requestId = response.headers.get('x-request-id');
  let problem: Partial<Problem> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) problem = parsed;
  } catch {
    // A proxy answered.
  }
  const known = typeof problem.code === 'string' ? problem : {};
  return new TurnkeeperError(response.status, requestId === null ? known : { requestId, ...known }, retryAfter);
};
