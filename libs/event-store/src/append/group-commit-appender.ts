import { checkAppendRequest, LogUnavailable, type AppendRequest, type Appended } from '@turnkeeper/application';
import { DomainError } from '@turnkeeper/domain';
import type pg from 'pg';
import { APPEND_BATCH, decodeAnswer, encodeBatch, type AppendRow } from './append-batch.js';
import { encodeRequest, streamOf } from './encode-request.js';
import { failureOf, refusalOf } from './failure.js';
import { WaitingRequests, type Waiting } from './waiting-requests.js';

export interface GroupCommitOptions {
  /**
   * Batches that may be on their way at the same time. Batches are decided one after the other whatever this is, so one
   * lane with larger batches costs the least CPU; a second one hides the way to a Postgres that is far away.
   */
  readonly lanes: number;
  /** Most events in one batch; a larger request goes alone. */
  readonly maxBatch: number;
  /** Most events that may wait for their batch; beyond that appends are refused at once. */
  readonly maxWaiting: number;
  /** Most bytes of events in one batch; a larger request goes alone. Counted in characters of their JSON. */
  readonly maxBatchBytes: number;
  /** Most bytes that may wait for their batch; beyond that appends are refused at once. */
  readonly maxWaitingBytes: number;
  /** How long a batch is tried again while the database is away, in milliseconds. */
  readonly retryForMs: number;
  /** Called after every batch and every transaction that was at the head of the log; must not throw. */
  readonly onHead?: OnHead;
  /** Called after every committed batch; must not throw. */
  readonly onBatch?: (batch: { readonly requests: number; readonly events: number; readonly ms: number }) => void;
}

/** How long the head of the log was waited for, and then held until the commit was answered, in milliseconds. */
export type OnHead = (head: { readonly waitedMs: number; readonly heldMs: number }) => void;

/** What is known of a batch's tries so far. */
interface Tries {
  /** One of them may have been committed: no event id counts as new any more. */
  lookAtAll: boolean;
}

interface Lane {
  readonly waiting: WaitingRequests;
  writing: Promise<void> | null;
}

/**
 * Group commit: while a batch is being written the next one fills, so that requests in flight share a transaction.
 * There is no timer: a request that meets an idle lane is written at once.
 *
 * A session always uses the same lane, and a lane writes one batch after the other; so requests of one session are
 * stored in the order they were made. A batch whose connection breaks is sent again: if the first try was committed,
 * its event ids are found and the first answer is given.
 */
export class GroupCommitAppender {
  private readonly lanes: readonly Lane[];
  private closed = false;

  /** @param pool holds one connection per lane; the appender does not end it */
  constructor(
    private readonly pool: pg.Pool,
    private readonly options: GroupCommitOptions,
  ) {
    this.lanes = Array.from({ length: options.lanes }, () => ({ waiting: new WaitingRequests(), writing: null }));
  }

  append(request: AppendRequest): Promise<Appended> {
    return new Promise((resolve, reject) => {
      checkAppendRequest(request);
      const stream = streamOf(request);
      const lane = this.laneOf(stream);
      if (this.closed) throw new LogUnavailable('The log is closing.');
      if (
        lane.waiting.waitingEvents >= this.options.maxWaiting ||
        lane.waiting.waitingBytes >= this.options.maxWaitingBytes
      )
        throw new LogUnavailable('Too many appends wait.');
      // Encoded while an earlier batch is being written, and not when the lane waits for the next one.
      lane.waiting.push({ ...encodeRequest(request, stream), resolve, reject });
      lane.writing ??= this.write(lane);
    });
  }

  /** Refuses new requests and resolves when all that wait are written or rejected. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.lanes.map((lane) => lane.writing));
  }

  private takeBatch({ waiting }: Lane): Waiting[] {
    return waiting.takeBatch(this.options.maxBatch, this.options.maxBatchBytes);
  }

  private laneOf(stream: string): Lane {
    return this.lanes[this.lanes.length === 1 ? 0 : hash(stream) % this.lanes.length] as Lane;
  }

  private async write(lane: Lane): Promise<void> {
    // Requests made in the same turn of the event loop go into the same batch.
    await Promise.resolve();
    while (lane.waiting.waitingEvents > 0) await this.writeBatch(this.takeBatch(lane));
    lane.writing = null;
  }

  /**
   * Settles every request of the batch; never rejects.
   *
   * @param lookAtAll the batch may have been stored by an earlier try
   * @returns why the log is unavailable, when it is
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
      // One of them is at fault, or an id that was said to be new is not. Halves find it in few tries, in their order.
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
   * Stores all requests and settles them, or settles those that stand in the way of the others.
   *
   * @returns the others
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
      // A new connection for the next try: this one may still be running the statement.
      broken = failureOf(error) === 'transient' ? (error as Error) : undefined;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** FNV-1a, stirred: its lowest bits alone are hardly more than the parity of the text. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
};
