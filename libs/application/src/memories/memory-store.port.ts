import type { Memory, MemoryStrategy } from '@turnkeeper/domain';
import type { Transaction } from '../shared/transaction.port.js';

export type MemoryView = Omit<Memory, 'strategies'>;

export interface StrategyView extends MemoryStrategy {
  readonly memoryId: string;
}

/** Which rows of a listing to return: at most `limit`, starting after the place of the previous page's last row. */
export interface PageAfter<Place = string> {
  readonly limit: number;
  readonly after?: Place | undefined;
}

/** One page of rows and the total number of rows. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** Memories and their strategies. Deleted memories are never returned. */
export interface MemoryStore {
  find(tenantId: string, memoryId: string): Promise<MemoryView | null>;
  /** With its strategies; locks the row until the transaction ends. */
  findForUpdate(tx: Transaction, tenantId: string, memoryId: string): Promise<Memory | null>;
  /** Counts the tenant's memories that are not deleted, and blocks other creations until the transaction ends. */
  countBeforeCreation(tx: Transaction, tenantId: string): Promise<number>;
  /** Writes the state after an event; adds new strategies and removes deleted ones with their due work. */
  save(tx: Transaction, memory: Memory): Promise<void>;
  /** Newest first. */
  list(tenantId: string, page: { readonly offset: number; readonly limit: number }): Promise<Page<MemoryView>>;
  /** In the order they were added, including disabled ones. */
  strategies(tenantId: string, memoryId: string): Promise<readonly StrategyView[]>;
}
