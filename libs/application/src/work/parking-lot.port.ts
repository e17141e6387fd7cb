import type { Transaction } from '../shared/transaction.port.js';

/** A message that cannot be handled and would block others. Stored visibly and replayable. */
export interface ParkedItem {
  /** Origin, e.g. `jetstream/TURNKEEPER_EVENTS/worker-dispatcher`. */
  readonly source: string;
  /** Unique within the source. Parking the same item twice stores it once. */
  readonly itemId: string;
  /** Reason, as a stable code: that of the error, or `delivery.exhausted` after the last retry. */
  readonly code: string;
  /** Human-readable message. Never contains conversation content. */
  readonly error: string;
  /** The message as received (UTF-8). */
  readonly payload: string;
  /** Number of attempts. */
  readonly attempts: number;
}

/** Parked events that an operator wants to be dispatched again. */
export interface DispatchReplays {
  /** Positions of requested events, oldest request first. */
  requested(limit: number): Promise<readonly number[]>;
  /** Marks the event as resolved when the transaction commits. False if it is not requested any more. */
  resolve(tx: Transaction, position: number): Promise<boolean>;
  /** The replay failed: the event is listed as parked again, with this error. */
  parkAgain(position: number, error: string): Promise<void>;
}

export interface ParkingLot {
  /** The item is durable when this resolves; the source may then delete it. */
  park(item: ParkedItem): Promise<void>;
}
