import type { Transaction } from './transaction.port.js';

/** How far the dispatcher has turned events into due work. Moves in the transaction that writes that work. */
export interface DispatchCursor {
  /** Waits for the cursor's row and gives its position. */
  lock(tx: Transaction): Promise<number>;
  advance(tx: Transaction, position: number): Promise<void>;
  position(): Promise<number>;
}
