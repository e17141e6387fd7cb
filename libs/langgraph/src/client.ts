import { Turnkeeper, type CallOptions } from '@turnkeeper/client';

/** Where Turnkeeper is, and as whom to call it. */
export interface TurnkeeperOptions {
  /** Base URL of ingest, such as `https://memory.example.com`. */
  readonly url: string;
  readonly apiKey: string;
  /** Memory that the threads belong to. */
  readonly memoryId: string;
  /** Maximum duration of a request in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Attempts of a request that the server could not answer (429, 503, lost connections). Default: 5. */
  readonly attempts?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

const ATTEMPTS = 5;

/** Every request of this package has the same effect when it is repeated, so none needs an `Idempotency-Key`. */
export const REPEATABLE: CallOptions = { repeatable: true };

export const clientOf = ({ url, attempts = ATTEMPTS, apiKey, timeoutMs, fetch }: TurnkeeperOptions): Turnkeeper =>
  new Turnkeeper({
    baseUrl: url,
    apiKey,
    retry: { maxAttempts: attempts },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(fetch === undefined ? {} : { fetch }),
  });
