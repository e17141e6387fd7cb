import { errorOf, TurnkeeperConnectionError, TurnkeeperError } from './errors.js';
import type { Input, Method, Operation, PathOf, Result } from './operations.js';
import { delayBefore, mayRetry, sleep, type RetryOptions } from './retry.js';

export interface TurnkeeperOptions {
  /** URL of the ingest service, e.g. `http://localhost:8080`. */
  readonly baseUrl: string;
  /** `tk_…`, or a token of the configured issuer. A function is called for each request, e.g. to refresh a token. */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Time limit of each request in ms. Default 30,000. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each request in ms. Default: that of the client. */
  readonly timeoutMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Sending the request twice has the effect of sending it once, so it is retried after every failure. Default: true
   * for `get` and `delete`, and for `post`, which gets an `Idempotency-Key`. Others, and a `post` with `false`, are
   * retried only if the server did not begin them.
   */
  readonly repeatable?: boolean | undefined;
}

interface LooseInput {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_ATTEMPTS = 4;
const JSON_TYPE = 'application/json';

/** Sends requests: URLs, authentication, time limits, retries, errors. */
export class Transport {
  private readonly baseUrl: string;

  constructor(private readonly options: TurnkeeperOptions) {
    const { protocol } = new URL(options.baseUrl);
    if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('baseUrl must begin with http or https.');
    let end = options.baseUrl.length;
    while (options.baseUrl[end - 1] === '/') end -= 1;
    this.baseUrl = options.baseUrl.slice(0, end);
  }

  /** Calls an operation; the types of path, query, body and result come from the API's description. */
  async request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    input: Input<Operation<M, P>>,
    options: CallOptions = {},
  ): Promise<Result<Operation<M, P>>> {
    const read = async (response: Response): Promise<unknown> => {
      const text = await response.text();
      if (text === '') return undefined;
      try {
        return JSON.parse(text);
      } catch {
        throw new TurnkeeperError(response.status, { title: 'The response is not JSON.' });
      }
    };
    return (await this.send(method, path, input, options, read)) as Result<Operation<M, P>>;
  }

  /** The response with its body unread. The time limit is that of its headers. */
  async open<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    input: Input<Operation<M, P>>,
    options: CallOptions = {},
  ): Promise<Response> {
    return this.send(method, path, input, options, async (response) => response);
  }

  private async send<T>(
    method: Method,
    path: string,
    input: LooseInput,
    options: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const url = this.baseUrl + filled(path, input.path as Record<string, string>) + queryOf(input.query as object);
    const headers: Record<string, string> = { accept: JSON_TYPE, ...this.options.headers, ...options.headers };
    const { body } = input;
    const isFile = typeof body === 'string' || body instanceof Blob;
    if (body !== undefined) headers['content-type'] = isFile ? 'application/x-ndjson' : JSON_TYPE;
    const sent = body === undefined || isFile ? body : JSON.stringify(body);
    // The server carries out a POST with a key once.
    if (method === 'post' && options.repeatable === undefined) headers['idempotency-key'] ??= newIdempotencyKey();
    const { retry = {} } = this.options;
    const mostAttempts = options.maxAttempts ?? retry.maxAttempts ?? DEFAULT_ATTEMPTS;
    const repeatable =
      options.repeatable ?? (method === 'get' || method === 'delete' || headers['idempotency-key'] !== undefined);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(url, { method: method.toUpperCase(), headers, body: sent ?? null }, options, read);
      } catch (error) {
        if (error instanceof TurnkeeperError || error instanceof TurnkeeperConnectionError) error.attempts = attempt;
        const wait =
          attempt < mostAttempts && mayRetry(error, repeatable) ? delayBefore(attempt, error, retry) : undefined;
        if (wait === undefined) throw error;
        await sleep(wait, options.signal);
      }
    }
  }

  private async attempt<T>(
    url: string,
    init: RequestInit & { headers: Record<string, string> },
    options: CallOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { apiKey, fetch: send = fetch } = this.options;
    const { signal } = options;
    signal?.throwIfAborted();
    const timeoutMs = options.timeoutMs ?? this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    const ended = signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]);
    const inTime = <T>(work: Promise<T>, what: string): Promise<T> =>
      work.catch((error: unknown) => {
        signal?.throwIfAborted();
        if (!limit.signal.aborted) throw error;
        throw new TurnkeeperConnectionError('client.timeout', `${what} within ${timeoutMs} ms.`, { cause: error });
      });
    try {
      const token =
        typeof apiKey === 'string' ? apiKey : await inTime(unlessEnded(apiKey(), ended), 'No key from `apiKey`');
      const headers = { ...init.headers, authorization: `Bearer ${token}` };
      // A redirect could take the key to another host.
      const sent = send(url, { ...init, headers, redirect: 'manual', signal: ended });
      return await inTime(answerOf(sent, new URL(url).origin, read), 'No response');
    } finally {
      clearTimeout(timer);
    }
  }
}

const answerOf = async <T>(
  sent: Promise<Response>,
  origin: string,
  read: (response: Response) => Promise<T>,
): Promise<T> => {
  try {
    const response = await sent;
    // Browsers hide the status of a redirect.
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      const place = response.headers.get('location') ?? 'another address';
      const message = `${origin} redirects to ${place}. Set baseUrl to the address that answers.`;
      throw new TurnkeeperConnectionError('client.redirected', message);
    }
    if (!response.ok) throw errorOf(response, await response.text());
    return await read(response);
  } catch (error) {
    if (error instanceof TurnkeeperError || error instanceof TurnkeeperConnectionError) throw error;
    throw new TurnkeeperConnectionError('client.unreachable', `${origin} cannot be reached.`, { cause: error });
  }
};

/** Rejects when the signal is aborted, whether or not the work ends. */
const unlessEnded = <T>(work: T | Promise<T>, ended: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    ended.addEventListener('abort', () => reject(ended.reason as Error), { once: true });
    Promise.resolve(work).then(resolve, reject);
  });

/** With the caller's `Idempotency-Key`, if there is one. */
export const withKey = (call: CallOptions, key: string | undefined): CallOptions =>
  key === undefined ? call : { ...call, headers: { ...call.headers, 'idempotency-key': key } };

/** Not `randomUUID`: browsers have it on https only. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Replaces `{name}` in a path template. */
const filled = (template: string, values: Readonly<Record<string, string>> = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    // Clients interpret dots as path steps, even when escaped.
    if (value === '' || value === '.' || value === '..') {
      throw new TypeError(`${name} must not be empty, "." or "..".`);
    }
    return encodeURIComponent(value);
  });

const queryOf = (query: object = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};
