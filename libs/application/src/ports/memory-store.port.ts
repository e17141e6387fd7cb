import type { Memory, MemoryStrategy } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';

export type MemoryView = Omit<Memory, 'strategies'>;

export interface StrategyView extends MemoryStrategy {
  readonly memoryId: string;
}

/** A page counted from 1, and how many rows there are in all. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** Memories with their strategies. A deleted memory is not there for any of its readers. */
export interface MemoryStore {
  find(tenantId: string, memoryId: string): Promise<MemoryView | null>;
  /** With its strategies, locked until the transaction ends. */
  findForUpdate(tx: Transaction, tenantId: string, memoryId: string): Promise<Memory | null>;
  /** Memories of the tenant that are not deleted; nobody else can create one until the transaction ends. */
  countBeforeCreation(tx: Transaction, tenantId: string): Promise<number>;
  /** Writes what an event made of it; strategies that are new are added. */
  save(tx: Transaction, memory: Memory): Promise<void>;
  /** Newest first. */
  list(tenantId: string, page: { readonly offset: number; readonly limit: number }): Promise<Page<MemoryView>>;
  /** In the order they were added, the disabled ones included. */
  strategies(tenantId: string, memoryId: string): Promise<readonly StrategyView[]>;
}
