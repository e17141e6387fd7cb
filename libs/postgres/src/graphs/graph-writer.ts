import { LogUnavailable } from '@turnkeeper/application';
import { MemoryNotFound } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { rowsFor } from '../connections/database.js';
import { GraphBatch, WRITE_BATCH, type GraphWrite } from './graph-batch.js';
import { sqlStateOf } from '../connections/lasting-failure.js';
import { keepReach } from '../connections/row-reach.js';

/** A batch ends at this many requests or characters. */
const MAX_REQUESTS = 256;
const MAX_BYTES = 4_194_304;
/** Beyond this, requests of a tenant are rejected immediately. */
const MAX_WAITING_BYTES = 67_108_864;
/** Waiting requests that are worth a second connection of the tenant. */
const ENOUGH_FOR_SECOND = 8;
/** Attempts of a batch that met an erasure or a deadlock. */
const ATTEMPTS = 3;
/** foreign_key_violation: the thread was erased meanwhile; deadlock_detected. */
const PASSING = new Set(['23503', '40P01']);

interface Lane {
  readonly waiting: GraphWrite[];
  readonly writing: Set<GraphBatch>;
  /** Of the values that wait. */
  bytes: number;
  isScheduled: boolean;
}

/**
 * Group commit of checkpoints: while one batch of a tenant is being written, the next one fills, so concurrent requests
 * share a transaction. There is no timer. Each tenant has its own lane and connection, so that row-level security holds.
 * One tenant at a time may have a second batch in flight, which is prepared while the commit of the first reaches the disk.
 */
export class GraphWriter {
  private readonly lanes = new Map<string, Lane>();
  /** The lane that has two batches in flight. */
  private second: Lane | undefined;

  constructor(private readonly dataSource: DataSource) {}

  write(request: Pick<GraphWrite, 'scope' | 'checkpoint' | 'writes' | 'bytes'>): Promise<void> {
    return new Promise((resolve, reject) => {
      const { tenantId } = request.scope;
      let lane = this.lanes.get(tenantId);
      if (lane === undefined) {
        lane = { waiting: [], writing: new Set(), bytes: 0, isScheduled: false };
        this.lanes.set(tenantId, lane);
      }
      if (lane.bytes > MAX_WAITING_BYTES) throw new LogUnavailable('Too many checkpoints wait.');
      lane.bytes += request.bytes;
      lane.waiting.push({ ...request, reach: keepReach(), resolve, reject });
      this.schedule(tenantId, lane);
    });
  }

  /** Requests made in the same turn of the event loop share a batch. */
  private schedule(tenantId: string, lane: Lane): void {
    if (lane.isScheduled) return;
    lane.isScheduled = true;
    queueMicrotask(() => {
      lane.isScheduled = false;
      this.startBatches(tenantId, lane);
    });
  }

  private startBatches(tenantId: string, lane: Lane): void {
    const { waiting, writing } = lane;
    while (waiting.length > 0 && (writing.size === 0 || this.maySecond(lane))) {
      const batch = takeBatch(lane);
      if (batch.requests.length === 0) return;
      writing.add(batch);
      if (writing.size > 1) this.second = lane;
      void this.writeBatch(tenantId, batch).finally(() => {
        writing.delete(batch);
        if (this.second === lane) this.second = undefined;
        this.startBatches(tenantId, lane);
      });
    }
    if (waiting.length === 0 && writing.size === 0) this.lanes.delete(tenantId);
  }

  private maySecond({ waiting, writing }: Lane): boolean {
    return writing.size === 1 && this.second === undefined && waiting.length >= ENOUGH_FOR_SECOND;
  }

  /** Settles every request of the batch; never rejects. */
  private async writeBatch(tenantId: string, batch: GraphBatch): Promise<void> {
    try {
      // Whichever request started the batch: its own reach may be another one.
      const keys = (await batch.requests[0]?.reach.run(() => this.send(tenantId, batch))) ?? [];
      for (const [index, request] of batch.requests.entries()) {
        if (batch.wasWritten(index, keys)) request.resolve();
        else request.reject(new MemoryNotFound());
      }
    } catch (error) {
      // An error in one request must not fail the others.
      if (batch.requests.length === 1) return batch.requests[0]?.reject(error);
      for (const request of batch.requests) {
        const alone = new GraphBatch();
        alone.add(request);
        await this.writeBatch(tenantId, alone);
      }
    }
  }

  private async send(tenantId: string, batch: GraphBatch): Promise<readonly (string | number)[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [row] = await rowsFor<{ keys: (string | number)[] }>(this.dataSource, tenantId, WRITE_BATCH, [
          tenantId,
          ...batch.values,
        ]);
        return row?.keys ?? [];
      } catch (error) {
        if (attempt === ATTEMPTS || !PASSING.has(sqlStateOf(error) ?? '')) throw error;
      }
    }
  }
}

/** Requests of one reach. Empty if the first request must wait for a batch that is being written. */
const takeBatch = (lane: Lane): GraphBatch => {
  const batch = new GraphBatch(lane.writing);
  let taken = 0;
  for (const request of lane.waiting) {
    if (taken > 0 && (taken === MAX_REQUESTS || batch.bytes + request.bytes > MAX_BYTES)) break;
    if (request.reach.name !== lane.waiting[0]?.reach.name) break;
    if (!batch.add(request)) break;
    taken += 1;
  }
  lane.waiting.splice(0, taken);
  lane.bytes -= batch.bytes;
  return batch;
};
