import type { AttemptOutcome } from '@turnkeeper/domain';
import { Agent, type Dispatcher } from 'undici';
import { createAddressGuard, type AddressPolicy } from './address-guard.js';
import { readExcerpt } from './excerpt.js';
import { faultOf } from './fault.js';
import { guardedConnector } from './guarded-connector.js';
import { createResolver, type Resolve } from './resolver.js';
import { checkWebhookUrl, type UrlPolicy } from './webhook-url.js';

export interface WebhookSenderOptions extends AddressPolicy {
  /** Take `http:` addresses as well. Default false. */
  readonly allowHttp?: boolean;
  /** From the start of an attempt to the answer's headers. Default 15 000 ms. */
  readonly timeoutMs?: number;
  /** Open connections to one origin; further attempts wait, within their own time limit. Default 64. */
  readonly connectionsPerOrigin?: number;
  /** Bytes of an answer that are read before its connection is dropped. Default 16 KiB. */
  readonly maxResponseBytes?: number;
  /** Characters of an answer that are kept for people to see; 0 keeps none. Default 512. */
  readonly excerptLength?: number;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  /** Default: asks the system's name servers. */
  readonly resolve?: Resolve;
}

export interface WebhookRequest {
  readonly url: string;
  /** The frozen bytes. */
  readonly body: Buffer | string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookSender {
  /** What this sender sends to; also for judging an address when an endpoint is made. */
  readonly urlPolicy: UrlPolicy;
  /**
   * Makes one attempt. Whatever the other side does becomes an outcome; nothing is thrown for it. Redirects are not
   * followed and proxy settings of the environment are not used: both would lead past the address check.
   *
   * @param signal gives the attempt up (`aborted`)
   */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<AttemptOutcome>;
  /** Closes idle connections and waits for the attempts under way. */
  close(): Promise<void>;
}

/** How long an answer's body may take once its headers are there: the verdict is known, the rest is for people. */
const BODY_GRACE_MS = 1_000;

/** A plain marker for our own time limit, so that it cannot be taken for the caller's abort. */
const TIMED_OUT = Symbol('timed out');
const GIVEN_UP = Symbol('given up');

/** @throws RangeError when a range in `allowCidrs` cannot be read */
export const createWebhookSender = (options: WebhookSenderOptions = {}): WebhookSender => {
  const timeoutMs = options.timeoutMs ?? 15_000;
  const maxBytes = options.maxResponseBytes ?? 16_384;
  const excerptLength = options.excerptLength ?? 512;
  const guard = createAddressGuard(options);
  const urlPolicy: UrlPolicy = { guard, allowHttp: options.allowHttp ?? false };
  const agent = new Agent({
    connect: guardedConnector({
      guard,
      resolve: options.resolve ?? createResolver({ systemFallback: !guard.publicOnly }),
      timeoutMs,
      ca: options.ca,
    }),
    connections: options.connectionsPerOrigin ?? 64,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    // The one time limit is the attempt's own, below.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const attempt: WebhookSender['send'] = async ({ url, body, headers }, signal) => {
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
      const bodyExcerpt = await readExcerpt(answer.body, { maxBytes, length: excerptLength });
      const retryAfter = [answer.headers['retry-after']].flat()[0];
      return {
        ...outcome,
        ...(retryAfter === undefined ? {} : { retryAfter }),
        ...(bodyExcerpt === '' ? {} : { bodyExcerpt }),
      };
    } catch (error) {
      if (stop.signal.reason === GIVEN_UP) return givenUp(durationMs());
      if (stop.signal.reason === TIMED_OUT) {
        return {
          kind: 'failed',
          code: 'timeout',
          message: `no answer within ${timeoutMs} ms`,
          durationMs: durationMs(),
        };
      }
      return { kind: 'failed', ...faultOf(error), durationMs: durationMs() };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  };

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
      // Not `close`: that would wait for connections that are still being made for attempts long given up.
      await agent.destroy();
    },
  };
};

const givenUp = (durationMs: number): AttemptOutcome => ({
  kind: 'failed',
  code: 'aborted',
  message: 'given up by the sender',
  durationMs,
});
