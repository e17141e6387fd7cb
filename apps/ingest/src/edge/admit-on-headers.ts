import { allowsScope, type Scope } from '@turnkeeper/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MissingScope, TooManyFailures, Unauthenticated } from '../auth/auth-errors.js';
import type { Authenticator } from '../auth/authenticator.js';
import type { Caller } from '../auth/caller.js';
import type { FailedKeys } from '../auth/failed-keys.js';
import type { InFlight } from '../limits/in-flight.js';
import { MethodNotAllowed, type AllowedMethods } from '../http/allowed-methods.js';
import type { RateHeaders, RateLimiter } from '../limits/rate-limiter.js';
import { ANY_SCOPE, specOf } from './route-config.js';

/** The caller, once authenticated. Read by the guard and the handlers. */
export interface Admitted {
  caller?: Caller;
  tenantId?: string;
}

/** Becomes a problem with status 404. */
const noSuchRoute = (): Error => Object.assign(new Error('There is no such route.'), { statusCode: 404 });

/**
 * Admits or rejects a request by its headers, before any of its body is read: a caller without a key, without the scope
 * or over its rate costs no parsing and no memory.
 */
export class Admission {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly rateLimiter: RateLimiter,
    private readonly failedKeys: FailedKeys,
    private readonly inFlight: InFlight,
  ) {}

  /**
   * Throws or rejects with the client's error. Synchronous for a cached key.
   *
   * @param onEnd registers a callback for the end of the request
   */
  admit(
    request: FastifyRequest,
    scope: Scope | typeof ANY_SCOPE,
    onEnd: (callback: () => void) => void,
  ): void | Promise<void> {
    const { authorization } = request.headers;
    const found = this.callerOf(authorization, request.ip);
    if (found instanceof Promise) return found.then((caller) => this.accept(request, caller, scope, onEnd));
    this.accept(request, found, scope, onEnd);
  }

  /** Counts body bytes that were not announced. */
  noteBytes(tenantId: string, bytes: number): void {
    this.rateLimiter.charge(tenantId, 'bytes', bytes);
  }

  /** Rate limit headers of an authenticated caller; null without a limit. */
  rateOf({ tenantId }: Admitted): RateHeaders | null {
    return tenantId === undefined ? null : this.rateLimiter.headersOf(tenantId);
  }

  private callerOf(authorization: string | undefined, address: string): Caller | Promise<Caller> {
    if (authorization === undefined) throw new Unauthenticated();
    const known = this.authenticator.known(authorization) ?? this.authenticator.pending(authorization);
    if (known !== null) return known;
    const retryAfterSeconds = this.failedKeys.take(address);
    if (retryAfterSeconds > 0) return this.lookUpShared(authorization, retryAfterSeconds);
    return this.authenticator.lookUp(authorization).then(
      (caller) => {
        this.failedKeys.giveBack(address);
        return caller;
      },
      (error: unknown) => {
        if (!(error instanceof Unauthenticated)) this.failedKeys.giveBack(address);
        throw error;
      },
    );
  }

  /** A valid key is never rejected because of invalid ones from its address, even if it is used for the first time. */
  private async lookUpShared(authorization: string, retryAfterSeconds: number): Promise<Caller> {
    try {
      return await this.authenticator.lookUp(authorization, 'shared');
    } catch (error) {
      throw error instanceof Unauthenticated ? new TooManyFailures(retryAfterSeconds) : error;
    }
  }

  private accept(
    request: FastifyRequest & Admitted,
    caller: Caller,
    scope: Scope | typeof ANY_SCOPE,
    onEnd: (callback: () => void) => void,
  ): void {
    if (scope !== ANY_SCOPE && !allowsScope(caller.scopes, scope)) throw new MissingScope(scope);
    const { tenantId } = caller;
    request.caller = caller;
    request.tenantId = tenantId;
    this.rateLimiter.take(tenantId, announcedBytes(request));
    this.inFlight.begin(tenantId);
    onEnd(() => this.inFlight.end(tenantId));
  }
}

/** Streamed bodies are counted as they arrive (`paced`); bodies without a length, once read. */
const announcedBytes = (request: FastifyRequest): number =>
  specOf(request)?.bodyType === undefined ? Number(request.headers['content-length'] ?? 0) : 0;

const setRateHeaders = (reply: FastifyReply, headers: RateHeaders | null): void => {
  if (headers === null) return;
  void reply.header('ratelimit-policy', headers.policy).header('ratelimit', headers.limit);
};

/**
 * Runs `admission` on every request to a route that needs a key, and disables caching and content sniffing. Call before
 * the server listens.
 */
export const admitOnHeaders = (server: FastifyInstance, admission: Admission, methods: AllowedMethods): void => {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-content-type-options', 'nosniff').header('cache-control', 'no-store');
    // Otherwise the body of a request to an unknown route would be read before the response.
    if (request.is404) {
      const allowed = methods.of(request.url);
      if (allowed.length === 0) return done(noSuchRoute());
      void reply.header('allow', allowed.join(', '));
      return done(new MethodNotAllowed());
    }
    const scope = specOf(request)?.scope ?? null;
    if (scope === null) return done();
    const end = (refusal?: Error): void => {
      setRateHeaders(reply, admission.rateOf(request as Admitted));
      done(refusal);
    };
    let admitted: void | Promise<void>;
    try {
      // `close` fires once per response, whether it was sent or the client disconnected.
      admitted = admission.admit(request, scope, (callback) => void reply.raw.once('close', callback));
    } catch (refusal) {
      return end(refusal as Error);
    }
    if (admitted === undefined) return end();
    admitted.then(() => end(), end);
  });
};
