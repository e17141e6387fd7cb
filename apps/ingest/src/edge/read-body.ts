import { markLongIntegers } from '@turnkeeper/domain';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { decoded, readingFailure } from './body-encoding.js';
import type { BodyBudget, Refusal } from './body-budget.js';
import { BodyLate, BodyTooComplex, BodyTooDeep, KeyRepeated, ServerBusy, TooManyBytesInFlight } from './edge-errors.js';
import { HeavyBodies, type HeavyTurn } from './heavy-bodies.js';
import { JsonShape, type JsonLimits } from './json-shape.js';
import { LoopTurns } from './loop-turns.js';
import { membersIn, repeatedKey } from './repeated-keys.js';

export interface BodyLimits {
  /** Maximum time from the headers to the end of the body, in milliseconds. */
  readonly timeoutMs: number;
  readonly json: JsonLimits;
}

/** A request whose body counts against the budget. */
type Holding = FastifyRequest & { releaseBody?: (() => void) | undefined; heavyTurn?: HeavyTurn };

/** A request with a large body, which may have to wait for its tenant's other work before a heavy body is parsed. */
export interface TakesTurn {
  /** Calls back when it may go on, or with why not. */
  takeTurn?: (then: (error?: Error) => void) => void;
  hasTurn?: boolean;
}

/** Bodies up to this many bytes are not counted: the connection limit bounds them. */
export const SMALL_BYTES = 65_536;
/** Bodies with more bytes or values than this take milliseconds to parse and validate, and take turns. */
const HEAVY_BYTES = 1_048_576;
const HEAVY_VALUES = 5_000;
/** A timer later than this was delayed by the event loop. */
const STALLED_MS = 500;
/** Statuses of bodies that can never be accepted, unlike those of a conflict or a limit. */
const INVALID: ReadonlySet<number> = new Set([400, 413, 422]);
/** Owner of body bytes on routes without a key. */
const NO_OWNER = '';

const ownerOf = (request: FastifyRequest): string => (request as { tenantId?: string }).tenantId ?? NO_OWNER;

export type TakeBody = (error: Error | null, body?: unknown) => void;

/** A whole body. */
export interface ReadBody {
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
  readonly shape: JsonShape;
}

/**
 * Reads a whole JSON body within its route's limit, the budget and the timeout. A body whose announced length does not
 * fit is rejected before any of it is buffered, and one whose shape exceeds the limits as soon as that much arrived.
 */
export class BodyReader {
  private readonly turns = new LoopTurns();

  constructor(
    private readonly budget: BodyBudget,
    private readonly limits: BodyLimits,
    /** Called with the bytes beyond the announced length: all of a chunked body, and what compression saved. */
    private readonly onUnannounced: (owner: string, bytes: number) => void = () => undefined,
  ) {}

  read(request: FastifyRequest, payload: Readable, done: (error: Error | null, body?: ReadBody) => void): void {
    const limit = request.routeOptions.bodyLimit ?? Number.POSITIVE_INFINITY;
    const owner = ownerOf(request);
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
    const shape = new JsonShape(this.limits.json);
    const chunks: Buffer[] = [];
    let received = 0;
    let held = 0;
    let isSettled = false;
    const settle = (error: Error | null): void => {
      isSettled = true;
      cancelDeadline();
      source.removeListener('data', onData);
      source.removeListener('end', onEnd);
      source.removeListener('error', settle);
      if (received > announced && owner !== NO_OWNER) this.onUnannounced(owner, received - announced);
      if (error !== null) {
        stopDecoding(source, payload);
        return done(readingFailure(error));
      }
      done(null, { chunks, bytes: received, shape });
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
      const beyond = shape.add(chunk);
      if (beyond !== null) return settle(this.shapeError(beyond));
      chunks.push(chunk);
      takeTurns();
    };
    // Otherwise all that has arrived on all connections is read in one iteration of the event loop.
    const takeTurns = (): void => {
      if (Math.max(announced, received) <= SMALL_BYTES) return;
      source.pause();
      this.turns.add(() => isSettled || source.resume());
    };
    const onEnd = (): void => settle(null);
    const cancelDeadline = deadline(this.limits.timeoutMs, () => settle(new BodyLate()));
    takeTurns();
    source.on('data', onData);
    source.on('end', onEnd);
    source.on('error', settle);
  }

  /** Releases a body's bytes. Call once its request has been answered. */
  released(request: FastifyRequest): void {
    (request as Holding).releaseBody?.();
  }

  /** The bytes stay reserved until the response is sent or the connection closes. */
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

  private shapeError(beyond: keyof JsonLimits): Error {
    const { depth, values } = this.limits.json;
    return beyond === 'depth' ? new BodyTooDeep(depth) : new BodyTooComplex(values);
  }
}

/**
 * Calls `onLate` when the time is over, unless it is cancelled. Time during which this process stalled is not charged
 * to the client.
 *
 * @returns cancels it
 */
const deadline = (ms: number, onLate: () => void): (() => void) => {
  let dueAt = performance.now() + ms;
  const onTime = (): void => {
    const stalledMs = performance.now() - dueAt;
    if (stalledMs < STALLED_MS) return onLate();
    dueAt += stalledMs * 2;
    timer = setTimeout(onTime, stalledMs);
  };
  let timer = setTimeout(onTime, ms);
  return () => clearTimeout(timer);
};

/** Keeps the connection's stream: the rest of it is handled as for every rejected body. */
const stopDecoding = (source: Readable, payload: Readable): void => {
  if (source === payload) return;
  payload.unpipe();
  source.on('error', () => undefined).destroy();
};

export const errorOf = (refusal: Refusal): Error =>
  refusal === 'owner' ? new TooManyBytesInFlight() : new ServerBusy();

/** Decoded piece by piece: joining the chunks of a large body first would allocate it once more. */
const textOf = (chunks: readonly Buffer[]): string => {
  const decoder = new StringDecoder('utf8');
  return chunks.map((chunk) => decoder.write(chunk)).join('') + decoder.end();
};

/** Throws an `Error` for Fastify. */
const valueOf = ({ chunks, shape }: ReadBody): unknown => {
  const decoded = textOf(chunks);
  const unmarked = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  const text = shape.isExact ? unmarked : markLongIntegers(unmarked);
  let value: unknown;
  let members: number;
  try {
    value = JSON.parse(text);
    members = membersIn(value);
  } catch {
    throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY();
  }
  // A parser keeps the last one, another may keep the first: what one of them checked, the other would not read.
  if (members < shape.members) throw new KeyRepeated(repeatedKey(text) ?? []);
  return value;
};
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Reads JSON bodies with `reader`. Rejects keys that an object has twice, and those that would change its prototype.
 */
export const readJsonBodies = (server: FastifyInstance, reader: BodyReader): void => {
  const heavy = new HeavyBodies();
  server.addHook('onRequest', (request, _reply, done) => {
    const owner = ownerOf(request);
    if (owner !== NO_OWNER) heavy.seen(owner);
    done();
  });
  server.addHook('onResponse', (request, { statusCode }, done) => {
    reader.released(request);
    const { heavyTurn } = request as Holding;
    // Callers without a key share one owner: one of them must not make the others wait.
    const isCounted = heavyTurn !== undefined && heavyTurn.owner !== NO_OWNER && INVALID.has(statusCode);
    if (isCounted) heavy.rejected(heavyTurn);
    done();
  });
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', (request, payload, done: TakeBody) => {
    reader.read(request, payload, (error, body) => {
      if (error !== null || body === undefined) return done(error);
      // A chunked body's length is known only at its end: `allowEmptyBodies`.
      if (body.bytes === 0) return done(null, undefined);
      const toValue = (): void => {
        let value: unknown;
        try {
          value = valueOf(body);
        } catch (invalid) {
          return done(invalid as Error);
        }
        done(null, value);
      };
      if (body.bytes <= HEAVY_BYTES && body.shape.values <= HEAVY_VALUES) return toValue();
      const parse = (refusal?: Error): void => {
        if (refusal !== undefined) return done(refusal);
        const { socket } = request.raw;
        const drop = (): void => heavy.drop(work);
        const work = (): void => {
          socket.removeListener('close', drop);
          if (!socket.destroyed) toValue();
        };
        socket.once('close', drop);
        (request as Holding).heavyTurn = heavy.run(ownerOf(request), work);
      };
      const { takeTurn } = request as TakesTurn;
      if (takeTurn === undefined) parse();
      else takeTurn(parse);
    });
  });
};
