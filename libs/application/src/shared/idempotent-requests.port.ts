/** A request with an idempotency key. */
export interface IdempotentRequest {
  readonly tenantId: string;
  /** Operation id. Keys are unique per tenant and operation. */
  readonly route: string;
  readonly key: string;
  /** Hash of everything that must be equal in a repeat. */
  readonly fingerprint: string;
  /** Memory that the request names; null for none. */
  readonly memoryId: string | null;
}

/**
 * What to do with a request.
 *
 * - `first`: carry it out, then call `answer` or `forget`
 * - `answered`: return the first answer (JSON text)
 * - `running`: the first request is still running
 * - `missing`: the first request was interrupted, or its answer was erased; it must not be carried out again
 * - `differs`: the key was used for another request
 */
export type BegunRequest =
  | { readonly kind: 'first'; readonly requestId: string }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'running' | 'missing' | 'differs' };

/** First answers to requests with an idempotency key, kept for 24 hours by the database's clock. Encrypted at rest. */
export interface IdempotentRequests {
  /** At most one of several concurrent calls resolves to `first`. */
  begin(request: IdempotentRequest): Promise<BegunRequest>;
  /** Stores the answer (JSON text). @param memoryId memory that the answer is about; its erasures erase the answer too */
  answer(tenantId: string, requestId: string, answer: string, memoryId: string | null): Promise<void>;
  /** The request had no effect: the key can be used again. */
  forget(tenantId: string, requestId: string): Promise<void>;
  /** It is not known whether the request had an effect. */
  interrupt(tenantId: string, requestId: string): Promise<void>;
  /** Deletes requests older than 24 hours. Resolves to the number of rows. */
  forgetOld(limit: number): Promise<number>;
}
