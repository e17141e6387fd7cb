import type { Transaction } from '../shared/transaction.port.js';

/** An event that cannot be dispatched and would block later ones. Listed for operators, who can replay it. */
export interface ParkedItem {
  /** Who parked it: `dispatch`; in rows of earlier releases also a consumer of JetStream. */
  readonly source: string;
  /** Unique within the source. Parking the same item twice stores it once. */
  readonly itemId: string;
  /** Reason, as a stable code. */
  readonly code: string;
  /** Human-readable message. Never contains conversation content. */
  readonly error: string;
  /** The event's reference, as JSON. */
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
