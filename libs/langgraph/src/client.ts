import { Turnkeeper, type CallOptions, type TurnkeeperOptions as ClientOptions } from '@turnkeeper/client';

/** Where Turnkeeper is, and as whom to call it: the options of its client, and the memory that everything belongs to. */
export interface TurnkeeperOptions extends ClientOptions {
  readonly memoryId: string;
}

const ATTEMPTS = 5;

/** Every request of this package has the same effect when it is repeated, so none needs an `Idempotency-Key`. */
export const REPEATABLE: CallOptions = { repeatable: true };

export const clientOf = (options: TurnkeeperOptions): Turnkeeper =>
  new Turnkeeper({ ...options, retry: { maxAttempts: ATTEMPTS, ...options.retry } });

export interface SessionPath {
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

/** Options of requests about one session. */
export type SessionCall = (session: SessionPath) => CallOptions;

/** With the headers in which AgentBase's runtime names the user of a request. */
export const withRuntimeHeaders: SessionCall = ({ actorId, sessionId }) => ({
  ...REPEATABLE,
  headers: {
    'X-GreenNode-AgentBase-User-Id': headerOf(actorId),
    'X-GreenNode-AgentBase-Session-Id': headerOf(sessionId),
  },
});

/** `fetch` sends one byte for each character. */
const headerOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
