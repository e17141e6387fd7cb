import type { TransferCheckpoint, TransferItem } from '@turnkeeper/contracts';

interface Scope {
  readonly tenantId: string;
  readonly memoryId: string;
}

/** Reads and restores the state of agent graphs, one row at a time, because a row may be as large as a request. */
export interface GraphTransfer {
  /** Checkpoints and writes of live threads, thread by thread. Every value of a channel occurs once. */
  checkpoints(scope: Scope): AsyncIterable<TransferCheckpoint>;
  /** Live items, by namespace and key. */
  items(scope: Scope): AsyncIterable<TransferItem>;
  /** Stores items with their times. Keeps items that exist. Rejects with `MemoryNotFound`. */
  saveItems(scope: Scope, items: readonly TransferItem[]): Promise<void>;
}
