import type { CallOptions } from '../http/transport.js';

export interface SearchTurnsOptions extends Pick<CallOptions, 'signal' | 'timeoutMs'> {
  /** Default 10. */
  readonly limit?: number;
  /** Default 0. */
  readonly scoreThreshold?: number;
  /** Neighbouring turns to return with each hit. Default 0. */
  readonly window?: number;
  /** Also return the parts of each score. Default false. */
  readonly explain?: boolean;
}

export interface AnswerOptions extends CallOptions {
  /** Which answer to return if several match. Default `newest`. */
  readonly prefer?: 'newest' | 'oldest';
}
