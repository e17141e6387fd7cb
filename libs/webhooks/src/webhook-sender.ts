import type { AttemptOutcome } from '@turnkeeper/domain';
import { Agent, type Dispatcher } from 'undici';
import { createAddressGuard, type AddressGuard, type AddressPolicy } from './address-guard.js';
import { readExcerpt } from './excerpt.js';
import { faultOf } from './fault.js';
import { guardedConnector } from './guarded-connector.js';
import { createResolver, type Resolve } from './resolver.js';
import { checkWebhookUrl, type UrlPolicy } from './webhook-url.js';

export interface WebhookSenderOptions extends AddressPolicy {
  /** Also accepts `http:` URLs. Default: false. */
  readonly allowHttp?: boolean;
  /** Timeout from the start of an attempt to the response headers. Default: 15 000 ms. */
  readonly timeoutMs?: number;
  /** Maximum connections per origin; further attempts wait, within their own timeout. Default: 64. */
  readonly connectionsPerOrigin?: number;
  /** Maximum bytes read of a response before its connection is dropped. Default: 16 KiB. */
  readonly maxResponseBytes?: number;
  /** Maximum characters of a response returned for display; 0 for none. Default: 512. */
  readonly excerptLength?: number;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  /** Default: queries the system's name servers. */
  readonly resolve?: Resolve;
}

interface WebhookRequest {
  readonly url: string;
  /** The frozen body. */
  readonly body: Buffer | string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookSender {
  /** Policy for target URLs; also used when an endpoint is created. */
  readonly urlPolicy: UrlPolicy;
  /**
   * Makes one attempt. Remote failures are returned as an outcome, never thrown. Redirects are not followed and proxy
   * settings of the environment are ignored, because both would bypass the address check.
   *
   * @param signal aborts the attempt (`aborted`)
   */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<AttemptOutcome>;
  /** Waits for attempts in progress and closes all connections. */
  close(): Promise<void>;
}

/**
 * Maximum time for the response body after the headers: the result is already known, and the body is for display only.
 */
const BODY_GRACE_MS = 1_000;

/** Reasons of our own aborts: the attempt took too long, or its caller gave it up. */
const TIMED_OUT = Symbol('timed out');
const GIVEN_UP = Symbol('given up');

/** @throws RangeError if a range in `allowCidrs` is invalid */
export const createWebhookSender = (options: WebhookSenderOptions = {}): WebhookSender => {
  const timeoutMs = options.timeoutMs ?? 15_000;
  const guard = createAddressGuard(options);
  const urlPolicy: UrlPolicy = { guard, allowHttp: options.allowHttp ?? false };
  const agent = openAgent(options, guard, timeoutMs);
  const attempt = attemptsOf({
    agent,
    urlPolicy,
    timeoutMs,
    excerpt: { maxBytes: options.maxResponseBytes ?? 16_384, length: options.excerptLength ?? 512 },
  });
  const underWay = new Set<Promise<AttemptOutcome>>();
  return {
    urlPolicy,
    send: (request, signal) => {
      const sending = attempt(request, signal).finally(() => underWay.delete(sending));
      underWay.add(sending);
      return sending;
    },
    close: async () => {
      await Promise.all(underWay);
      // Not `close`: it would wait for connections still being established for aborted attempts.
      await agent.destroy();
    },
  };
};

const openAgent = (options: WebhookSenderOptions, guard: AddressGuard, timeoutMs: number): Agent =>
  new Agent({
    connect: guardedConnector({
      guard,
      resolve: options.resolve ?? createResolver({ systemFallback: !guard.publicOnly }),
      timeoutMs,
      ca: options.ca,
    }),
    connections: options.connectionsPerOrigin ?? 64,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    // Only the attempt's own timeout applies.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

interface AttemptDeps {
  readonly agent: Agent;
  readonly urlPolicy: UrlPolicy;
  readonly timeoutMs: number;
  readonly excerpt: { readonly maxBytes: number; readonly length: number };
}

const attemptsOf =
  ({ agent, urlPolicy, timeoutMs, excerpt }: AttemptDeps): WebhookSender['send'] =>
  async ({ url, body, headers }, signal) => {
    if (signal?.aborted === true) return givenUp(0);
    const started = performance.now();
    const durationMs = () => Math.round(performance.now() - started);
    const check = checkWebhookUrl(url, urlPolicy);
    if ('refused' in check) return { kind: 'failed', code: check.refused, message: check.rule, durationMs: 0 };

    const stop = new AbortController();
    const giveUp = () => stop.abort(GIVEN_UP);
    signal?.addEventListener('abort', giveUp, { once: true });
    let timer = setTimeout(() => stop.abort(TIMED_OUT), timeoutMs);
    try {
      const answer: Dispatcher.ResponseData = await agent.request({
        origin: check.url.origin,
        path: check.url.pathname + check.url.search,
        method: 'POST',
        headers,
        body,
        signal: stop.signal,
      });
      const outcome = { kind: 'response', status: answer.statusCode, durationMs: durationMs() } as const;
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(TIMED_OUT), BODY_GRACE_MS);
      const bodyExcerpt = await readExcerpt(answer.body, excerpt);
      const retryAfter = [answer.headers['retry-after']].flat()[0];
      return {
        ...outcome,
        ...(retryAfter === undefined ? {} : { retryAfter }),
        ...(bodyExcerpt === '' ? {} : { bodyExcerpt }),
      };
    } catch (error) {
      if (stop.signal.reason === GIVEN_UP) return givenUp(durationMs());
      if (stop.signal.reason === TIMED_OUT) return timedOut(timeoutMs, durationMs());
      return { kind: 'failed', ...faultOf(error), durationMs: durationMs() };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  };

const timedOut = (timeoutMs: number, durationMs: number): AttemptOutcome => ({
  kind: 'failed',
  code: 'timeout',
  message: `no answer within ${timeoutMs} ms`,
  durationMs,
});

const givenUp = (durationMs: number): AttemptOutcome => ({
  kind: 'failed',
  code: 'aborted',
  message: 'given up by the sender',
  durationMs,
});
