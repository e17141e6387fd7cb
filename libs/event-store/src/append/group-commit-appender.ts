import { checkAppendRequest, LogUnavailable, type AppendRequest, type Appended } from '@turnkeeper/application';
import { DomainError } from '@turnkeeper/domain';
import type pg from 'pg';
import { APPEND_BATCH, decodeAnswer, encodeBatch, type AppendRow } from './append-batch.js';
import { encodeRequest, streamOf } from './encode-request.js';
import { failureOf, refusalOf } from './failure.js';
import { WaitingRequests, type Waiting } from './waiting-requests.js';

export interface GroupCommitOptions {
  /** When the body was deleted at the end of its retention (ISO 8601). A purged delivery cannot be replayed. */
  readonly lanes: number;
  /** Most events in one batch; a larger request goes alone. */
  readonly maxBatch: number;
  /** Keyset cursor of a delivery listing: the page starts after this delivery. */
  readonly maxWaiting: number;
  /** Filters for the deliveries of an endpoint. Absent fields do not filter. */
  readonly maxBatchBytes: number;
  /** By time of planning; start is inclusive, end is exclusive (ISO 8601). */
  readonly maxWaitingBytes: number;
  /** Adds deliveries, due immediately. Existing ones are left unchanged. */
  readonly retryForMs: number;
  /**
   * Marks and returns deliveries that may be enqueued: due, not leased, longest overdue first, within the limits per
   * endpoint. A delivery that is not claimed within a few seconds is returned again, so a wiped queue refills itself.
   */
  readonly onHead?: OnHead;
  /**
   * Claims a due delivery. Resolves to null if it is not due or is leased. An expired lease still blocks other workers
   * until `settleLost`.
   */
  readonly onBatch?: (batch: { readonly requests: number; readonly events: number; readonly ms: number }) => void;
}

/** Extends the leases to this duration from now; resolves to the claims that are still held. */
export type OnHead = (head: { readonly waitedMs: number; readonly heldMs: number }) => void;

/**
 * Releases deliveries of lost workers: they become due again after a random backoff that grows with the number of lost
 * workers, or are parked at `maxLost` consecutive losses. Frees the endpoint's slot.
 */
interface Tries {
  /**
   * Stores the body unless one is stored already, and resolves to the stored body. Resolves to null if the fence has
   * changed: another worker holds the delivery, or its content was erased in the meantime.
   */
  lookAtAll: boolean;
}

interface Lane {
  readonly waiting: WaitingRequests;
  writing: Promise<void> | null;
}

/**
 * Records the attempt and its result; a no-op if the fence has changed. If the verdict disables the endpoint, its other
 * pending deliveries are parked.
 */
export class GroupCommitAppender {
  private readonly lanes: readonly Lane[];
  private closed = false;

  /** Parks a claimed delivery without an attempt; a no-op if the fence has changed. */
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
      // Newest first, including all attempts.
      lane.waiting.push({ ...encodeRequest(request, stream), resolve, reject });
      lane.writing ??= this.write(lane);
    });
  }

  /**
   * Applies `replayDelivery` to each match; resolves to the number of deliveries that are pending again. Purged
   * deliveries are skipped.
   */
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
    // Deletes the bodies of deliveries that are not pending and are older than `days`, or older than the event
    // retention of their agent's memory. Processes one batch; resolves to false if nothing is left.
    await Promise.resolve();
    while (lane.waiting.waitingEvents > 0) await this.writeBatch(this.takeBatch(lane));
    lane.writing = null;
  }

  /**
   * Deletes deliveries older than `days` whose body is purged, with their attempts. History deliveries are retained as
   * long as their agent, because an erasure reports who received one. Resolves to true if there may be more.
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
      // Log position up to which the dispatcher has turned events into due work. Advances in the transaction that
      // writes that work.
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

  /** Locks the cursor row and returns its position. Blocks while another transaction holds it. */
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
      // Maps texts to vectors whose distance reflects similarity of meaning.
      broken = failureOf(error) === 'transient' ? (error as Error) : undefined;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** Model name. Stored with the vectors, because vectors of different models are not comparable. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
};
