import { checkAppendRequest, LogUnavailable, type AppendRequest, type Appended } from '@turnkeeper/application';
import { DomainError } from '@turnkeeper/domain';
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { APPEND_BATCH, decodeAnswer, encodeBatch, type AppendRow } from './append-batch.js';
import { encodeInSlices, streamOf, type EncodedRequest } from './encode-request.js';
import { failureOf, refusalOf } from './failure.js';
import { WaitingRequests, type Waiting } from './waiting-requests.js';

export interface GroupCommitOptions {
  /**
   * Maximum number of batches in flight, and one more of a single large request. Batches are serialized in the database
   * anyway, so one lane with larger batches uses the least CPU; a second lane hides the latency to a remote Postgres.
   */
  readonly lanes: number;
  /** Maximum events per batch. A larger request is sent alone. */
  readonly maxBatch: number;
  /** Maximum events in the queue, half of them of one tenant. Beyond this, appends are rejected immediately. */
  readonly maxWaiting: number;
  /** Maximum bytes of events per batch, counted as characters of JSON. A larger request is sent alone. */
  readonly maxBatchBytes: number;
  /** Maximum bytes in the queue, half of them of one tenant. Beyond this, appends are rejected immediately. */
  readonly maxWaitingBytes: number;
  /** How long to retry a batch while the database is unavailable, in milliseconds. */
  readonly retryForMs: number;
  /** Called after each batch and each transaction that held the head of the log. Must not throw. */
  readonly onHead?: OnHead;
  /** Called after each committed batch. Must not throw. */
  readonly onBatch?: (batch: { readonly requests: number; readonly events: number; readonly ms: number }) => void;
}

/**
 * Time spent waiting for the head of the log, and time it was then held until the commit was acknowledged, in
 * milliseconds.
 */
export type OnHead = (head: { readonly waitedMs: number; readonly heldMs: number }) => void;

/** State shared by the attempts of a batch. */
interface Tries {
  /** An attempt may have been committed, so no event id can be assumed to be new. */
  lookAtAll: boolean;
}

interface Lane {
  readonly waiting: WaitingRequests;
  writing: Promise<void> | null;
}

/** Requests of a stream that are not settled. */
interface Unsettled {
  readonly lane: Lane;
  count: number;
}

/**
 * Group commit: while one batch is being written, the next one fills, so concurrent requests share a transaction. There
 * is no timer: a request on an idle lane is written immediately. Tenants take turns by the cost of what they append. A request
 * that is sent alone has a lane of its own, so that others do not wait until megabytes are sent and parsed, only while
 * they are stored.
 *
 * A session keeps its lane until its requests are settled, and each lane writes one batch at a time, so the requests of a
 * session are stored in order. If the connection breaks, the batch is resent. If the first attempt was committed, the retry finds
 * its event ids and returns the original result.
 */
export class GroupCommitAppender {
  /** The last one is for large requests. */
  private readonly lanes: readonly Lane[];
  private readonly unsettled = new Map<string, Unsettled>();
  /** The newest request of each stream that is not encoded yet; later ones of the stream wait for it. Never rejects. */
  private readonly encoding = new Map<string, Promise<void>>();
  private closed = false;

  /** @param pool a connection per lane, and one for large requests; not closed by the appender */
  constructor(
    private readonly pool: pg.Pool,
    private readonly options: GroupCommitOptions,
  ) {
    this.lanes = Array.from({ length: options.lanes + 1 }, () => ({ waiting: new WaitingRequests(), writing: null }));
  }

  append(request: AppendRequest): Promise<Appended> {
    return new Promise((resolve, reject) => {
      checkAppendRequest(request);
      if (this.closed) throw new LogUnavailable('The log is closing.');
      const stream = streamOf(request);
      const earlier = this.encoding.get(stream);
      const push = (encoded: EncodedRequest): void => this.push(encoded, resolve, reject);
      // Encoded while an earlier batch is being written, not when the lane is ready for the next one.
      const slices = encodeInSlices(request);
      const slice = slices.next();
      if (slice.done === true && earlier === undefined) return push(slice.value);
      const encoding = restOf(slices, slice, earlier)
        .then(push)
        .catch(reject)
        .then(() => {
          if (this.encoding.get(stream) === encoding) this.encoding.delete(stream);
        });
      this.encoding.set(stream, encoding);
    });
  }

  /** Rejects new requests. Resolves when all queued requests are settled. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.encoding.values());
    await Promise.all(this.lanes.map((lane) => lane.writing));
  }

  private push(
    encoded: EncodedRequest,
    resolve: (appended: Appended) => void,
    reject: (reason: unknown) => void,
  ): void {
    const lane = this.laneOf(encoded);
    const { maxWaiting, maxWaitingBytes } = this.options;
    if (lane.waiting.isFullFor(encoded.request.tenantId, maxWaiting, maxWaitingBytes)) {
      throw new LogUnavailable('Too many appends wait.');
    }
    const settled = this.enter(encoded.stream, lane);
    lane.waiting.push({
      ...encoded,
      resolve: (appended) => {
        settled();
        resolve(appended);
      },
      reject: (reason) => {
        settled();
        reject(reason);
      },
    });
    lane.writing ??= this.write(lane);
  }

  private takeBatch({ waiting }: Lane): Waiting[] {
    return waiting.takeBatch(this.options.maxBatch, this.options.maxBatchBytes);
  }

  private laneOf({ stream, data }: EncodedRequest): Lane {
    const own = this.unsettled.get(stream)?.lane;
    if (own !== undefined) return own;
    if (data.length > this.options.maxBatchBytes) return this.lanes.at(-1) as Lane;
    const lanes = this.lanes.slice(0, -1);
    return lanes.find(({ writing }) => writing === null) ?? (lanes.toSorted(byWaiting)[0] as Lane);
  }

  /** Keeps a stream's requests in the lane. Returns what to call when the request is settled. */
  private enter(stream: string, lane: Lane): () => void {
    const unsettled = this.unsettled.get(stream) ?? { lane, count: 0 };
    unsettled.count += 1;
    this.unsettled.set(stream, unsettled);
    return () => {
      unsettled.count -= 1;
      if (unsettled.count === 0) this.unsettled.delete(stream);
    };
  }

  private async write(lane: Lane): Promise<void> {
    // Requests made in the same turn of the event loop share a batch.
    await Promise.resolve();
    while (lane.waiting.waitingEvents > 0) {
      const batch = this.takeBatch(lane);
      // Sending much blocks the event loop like encoding it did, mostly just before: let other requests go first.
      if (lane === this.lanes.at(-1)) await setImmediate();
      await this.writeBatch(batch);
    }
    lane.writing = null;
  }

  /**
   * Settles every request of the batch; never rejects.
   *
   * @param lookAtAll an earlier attempt may have stored the batch
   * @returns the error if the log is unavailable, else null
   */
  private async writeBatch(batch: readonly Waiting[], lookAtAll = false): Promise<LogUnavailable | null> {
    const started = performance.now();
    const tries = { lookAtAll };
    let left = batch;
    try {
      while (left.length > 0) left = await this.store(left, tries);
    } catch (error) {
      if (error instanceof LogUnavailable || (left.length === 1 && tries.lookAtAll)) {
        for (const waiting of left) waiting.reject(refusalOf(error));
        return error instanceof LogUnavailable ? error : null;
      }
      // A request is faulty, or an id marked as new exists. Bisecting finds it in few attempts and keeps the order.
      const middle = Math.ceil(left.length / 2);
      const rest = left.slice(middle);
      const unavailable = await this.writeBatch(left.slice(0, middle), true);
      if (unavailable === null && rest.length > 0) return this.writeBatch(rest, true);
      for (const waiting of rest) waiting.reject(unavailable);
      return unavailable;
    }
    this.options.onBatch?.({
      requests: batch.length,
      events: batch.reduce((sum, { request }) => sum + request.events.length, 0),
      ms: performance.now() - started,
    });
    return null;
  }

  /**
   * Stores and settles all requests. If some block the batch, settles only those.
   *
   * @returns the remaining requests
   */
  private async store(batch: readonly Waiting[], tries: Tries): Promise<readonly Waiting[]> {
    const outcomes = decodeAnswer(batch, await this.runUntilAnswered(batch, tries));
    return batch.filter((waiting, index) => {
      const outcome = outcomes[index] ?? null;
      if (outcome instanceof DomainError) waiting.reject(outcome);
      else if (outcome !== null) waiting.resolve(outcome);
      return outcome === null;
    });
  }

  private async runUntilAnswered(batch: readonly Waiting[], tries: Tries): Promise<AppendRow> {
    const giveUpAt = performance.now() + this.options.retryForMs;
    for (let pause = 20; ; pause *= 2) {
      try {
        return await this.run(encodeBatch(batch, tries.lookAtAll));
      } catch (error) {
        if (failureOf(error) === 'faulty') throw error;
        tries.lookAtAll = true;
        if (performance.now() + pause > giveUpAt) {
          throw new LogUnavailable('The database did not take the append.', { cause: error });
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private async run(values: (string | null)[]): Promise<AppendRow> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const sent = performance.now();
      const { rows } = await client.query<AppendRow>({ ...APPEND_BATCH, values });
      const [row] = rows as [AppendRow];
      const waitedMs = row.answer.waited;
      this.options.onHead?.({ waitedMs, heldMs: Math.max(0, performance.now() - sent - waitedMs) });
      return row;
    } catch (error) {
      // Use a new connection for the next attempt: this one may still be running the statement.
      broken = failureOf(error) === 'transient' ? (error as Error) : undefined;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** Encodes the rest of a large request while others go first. */
const restOf = async (
  slices: ReturnType<typeof encodeInSlices>,
  first: ReturnType<typeof slices.next>,
  earlier: Promise<void> | undefined,
): Promise<EncodedRequest> => {
  let slice = first;
  while (slice.done !== true) {
    await setImmediate();
    slice = slices.next();
  }
  await earlier;
  return slice.value;
};

const byWaiting = (a: Lane, b: Lane): number => a.waiting.waitingEvents - b.waiting.waitingEvents;
