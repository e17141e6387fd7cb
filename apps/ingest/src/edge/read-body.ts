import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { decoded, readingFailure } from './body-encoding.js';
import type { BodyBudget, Refusal } from './body-budget.js';
import { BodyLate, BodyTooComplex, BodyTooDeep, ServerBusy, TooManyBytesInFlight } from './edge-errors.js';
import { withExactIntegers } from './exact-integers.js';
import { jsonBeyond, type JsonLimits } from './json-shape.js';

export interface BodyLimits {
  /** Longest time from the headers to the end of the body, in milliseconds. */
  readonly timeoutMs: number;
  readonly json: JsonLimits;
}

/** A request whose body counts against the budget. */
type Holding = FastifyRequest & { releaseBody?: (() => void) | undefined };

/** Bodies up to this many bytes are not accounted for: the limit of connections bounds them. */
const SMALL_BYTES = 65_536;
/** A timer that is later than this had to wait for the event loop. */
const STOOD_STILL_MS = 500;
/** Owner of the bytes of requests that need no key. */
const NOBODY = '';

export type TakeBody = (error: Error | null, body?: unknown) => void;

/**
 * Reads a body whole, within its route's limit, the budget and the time, and checks its shape. A body that announces
 * more than fits is refused before a byte of it is kept.
 */
export class BodyReader {
  constructor(
    private readonly budget: BodyBudget,
    private readonly limits: BodyLimits,
    /** Told how many bytes a body had beyond those that it announced: all of a chunked one, and what compression hid. */
    private readonly onUnannounced: (owner: string, bytes: number) => void = () => undefined,
  ) {}

  read(request: FastifyRequest, payload: Readable, done: (error: Error | null, body?: Buffer) => void): void {
    const limit = request.routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY;
    const owner = (request as { tenantId?: string }).tenantId ?? NOBODY;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > limit) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    if (announced > SMALL_BYTES) {
      const refusal = this.budget.refusalOf(owner, announced);
      if (refusal !== null) return done(errorOf(refusal));
    }
    let source: Readable;
    try {
      source = decoded(request, payload);
    } catch (refusal) {
      return done(refusal as Error);
    }
    const chunks: Buffer[] = [];
    let received = 0;
    let held = 0;
    const stopDecoding = (): void => {
      if (source === payload) return;
      // The connection's own stream stays: what is left of it is handled as for every refused body.
      payload.unpipe();
      source.on('error', () => undefined).destroy();
    };
    const settle = (error: Error | null): void => {
      clearTimeout(timer);
      source.removeListener('data', onData);
      source.removeListener('end', onEnd);
      source.removeListener('error', settle);
      if (received > announced && owner !== NOBODY) this.onUnannounced(owner, received - announced);
      if (error !== null) {
        stopDecoding();
        return done(readingFailure(error));
      }
      done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, received));
    };
    const hold = (): Refusal | null => {
      const refusal = this.budget.take(owner, received - held);
      if (refusal !== null) return refusal;
      if (held === 0) this.releaseAfter(request, release);
      held = received;
      return null;
    };
    const release = (): void => {
      this.budget.give(owner, held);
      held = 0;
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > limit) return settle(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      if (received > SMALL_BYTES) {
        const refusal = hold();
        if (refusal !== null) return settle(errorOf(refusal));
      }
      chunks.push(chunk);
    };
    const onEnd = (): void => settle(null);
    let dueAt = performance.now() + this.limits.timeoutMs;
    const onTime = (): void => {
      // While this process stood still it read nothing: that time is not the client's.
      const stoodStillMs = performance.now() - dueAt;
      if (stoodStillMs < STOOD_STILL_MS) return settle(new BodyLate());
      dueAt += stoodStillMs * 2;
      timer = setTimeout(onTime, stoodStillMs);
    };
    let timer = setTimeout(onTime, this.limits.timeoutMs);
    source.on('data', onData);
    source.on('end', onEnd);
    source.on('error', settle);
  }

  /** Lets go of a body's bytes: to be called when its request was answered. */
  released(request: FastifyRequest): void {
    (request as Holding).releaseBody?.();
  }

  /** The bytes are held until the answer is out, or the connection is gone. */
  private releaseAfter(request: FastifyRequest, release: () => void): void {
    const { socket } = request.raw;
    const once = (): void => {
      socket.removeListener('close', once);
      (request as Holding).releaseBody = undefined;
      release();
    };
    (request as Holding).releaseBody = once;
    socket.once('close', once);
  }

  /** Refuses a JSON text whose tree would be beyond the limits. */
  checkShape(json: Uint8Array): void {
    const beyond = jsonBeyond(json, this.limits.json);
    if (beyond === 'depth') throw new BodyTooDeep(this.limits.json.depth);
    if (beyond === 'values') throw new BodyTooComplex(this.limits.json.values);
  }
}

const errorOf = (refusal: Refusal): Error => (refusal === 'owner' ? new TooManyBytesInFlight() : new ServerBusy());

/** Reads JSON bodies with `reader`. Members that would change an object's prototype are refused, as Fastify does. */
export const readJsonBodies = (server: FastifyInstance, reader: BodyReader): void => {
  const parse = server.getDefaultJsonParser('error', 'error') as (
    request: FastifyRequest,
    body: string,
    done: TakeBody,
  ) => void;
  server.addHook('onResponse', (request, _reply, done) => {
    reader.released(request);
    done();
  });
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', (request, payload, done: TakeBody) => {
    reader.read(request, payload, (error, body) => {
      if (error !== null || body === undefined) return done(error);
      // A chunked body tells its length only at its end: `allowEmptyBodies`.
      if (body.length === 0) return done(null, undefined);
      try {
        reader.checkShape(body);
      } catch (refusal) {
        return done(refusal as Error);
      }
      parse(request, withExactIntegers(body.toString('utf8')), done);
    });
  });
};
