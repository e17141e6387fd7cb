import type { TransferCheckpoint, TransferItem } from '@turnkeeper/contracts';
import type { MemoryScope } from '../log/event-store.port.js';

/** Reads and restores the state of agent graphs, one row at a time, because a row may be as large as a request. */
export interface GraphTransfer {
  /** Checkpoints and writes of live threads, thread by thread. Every value of a channel occurs once. */
  checkpoints(scope: MemoryScope): AsyncIterable<TransferCheckpoint>;
  /** Live items, by namespace and key. */
  items(scope: MemoryScope): AsyncIterable<TransferItem>;
  /** Stores items with their times. Keeps items that exist. Rejects with `MemoryNotFound`. */
  saveItems(scope: MemoryScope, items: readonly TransferItem[]): Promise<void>;
}
