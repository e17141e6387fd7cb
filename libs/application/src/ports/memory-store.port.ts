import type { Strategy } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';

export interface MemoryView {
  readonly memoryId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly description: string;
  /** Days. */
  readonly eventExpiryDuration: number;
  readonly status: 'ACTIVE';
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface StrategyView extends Strategy {
  readonly memoryId: string;
  readonly status: 'ACTIVE';
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A page counted from 1, and how many rows there are in all. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

export interface MemoryStore {
  insert(tx: Transaction, memory: MemoryView, strategies: readonly StrategyView[]): Promise<void>;
  find(tenantId: string, memoryId: string): Promise<MemoryView | null>;
  /** Newest first. */
  list(tenantId: string, page: { readonly offset: number; readonly limit: number }): Promise<Page<MemoryView>>;
  /** In the order they were given at creation. */
  strategies(tenantId: string, memoryId: string): Promise<readonly StrategyView[]>;
}
