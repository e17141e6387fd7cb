import type { Transaction } from '../shared/transaction.port.js';

/**
 * Log position up to which the dispatcher has turned events into due work. Advances in the transaction that writes that
 * work.
 */
export interface DispatchCursor {
  /** Locks the cursor row and returns its position. Blocks while another transaction holds it. */
  lock(tx: Transaction): Promise<number>;
  advance(tx: Transaction, position: number): Promise<void>;
  position(): Promise<number>;
}
