import type { Transaction } from './transaction.port.js';

/** How far the dispatcher has turned events into due work. Moves in the transaction that writes that work. */
export interface DispatchCursor {
  /** Waits for the cursor's row and gives its position. */
  lock(tx: Transaction): Promise<number>;
  advance(tx: Transaction, position: number): Promise<void>;
  position(): Promise<number>;
}

export interface ParkedItem {
  readonly parkedId: string;
  readonly tenantId: string | null;
  readonly source: string;
  /** What it is about; one item per source and reference. */
  readonly reference: string;
  readonly code: string;
  readonly detail: string | null;
  readonly payload: unknown;
}

/** Where poison is set aside, visible. */
export interface ParkedItems {
  park(item: ParkedItem, tx?: Transaction): Promise<void>;
}
