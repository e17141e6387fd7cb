import type { GraphItemView, GraphStoreOperation } from '@turnkeeper/contracts';

/** Result of one operation: an item, items, namespaces, or null. */
export type GraphStoreResult = GraphItemView | readonly GraphItemView[] | readonly (readonly string[])[] | null;

/** Items that agent graphs share, in namespaces of a memory. */
export interface GraphItems {
  /**
   * Runs the operations. Reads see the state before the writes; writes are committed together, the last one of a key.
   * Resolves to one result per operation.
   */
  batch(
    scope: { readonly tenantId: string; readonly memoryId: string },
    operations: readonly GraphStoreOperation[],
  ): Promise<readonly GraphStoreResult[]>;
}
