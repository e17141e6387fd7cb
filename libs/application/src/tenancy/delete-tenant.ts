import { MemoryNotFound, TenantNotFound, type ErasureOutcome } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { DeleteMemory } from '../memories/delete-memory.js';
import type { RecordReader } from '../records/record-reader.port.js';

/** Result of deleting a tenant. */
export interface DeletedTenant {
  readonly memories: number;
  readonly keys: number;
  readonly outcome: ErasureOutcome;
}

const PAGE = 100;

/**
 * Deletes a tenant with everything that it owns. Its keys stop working first, then its memories are deleted. The events
 * of deleted memories are unreadable immediately and are purged by the worker. Can be repeated, also after an
 * interruption: each call deletes what is left.
 */
export class DeleteTenant {
  constructor(
    private readonly deps: Pick<Ports, 'tenantErasure' | 'memories' | 'directory'> & {
      readonly records: Pick<RecordReader, 'count'>;
      readonly deleteMemory: DeleteMemory;
      /** Resolves once no process accepts the deleted keys. */
      readonly keysForgotten: () => Promise<void>;
    },
  ) {}

  /** Rejects with `TenantNotFound` if there never was such a tenant. */
  async execute(tenantId: string): Promise<DeletedTenant> {
    const { tenantErasure, keysForgotten } = this.deps;
    const closed = await tenantErasure.close(tenantId);
    if (closed === null) throw new TenantNotFound();
    if (closed.wasOpen) await keysForgotten();
    const rows = await tenantErasure.count(tenantId);
    const { memories, ...counts } = await this.deleteMemories(tenantId);
    await tenantErasure.eraseRows(tenantId);
    const left = { withOtherSources: 0, inNamedNamespaces: 0, namespaces: [] };
    return { memories, keys: closed.keys, outcome: { erased: { ...counts, ...rows }, left } };
  }

  private async deleteMemories(tenantId: string) {
    const { memories, directory, records, deleteMemory } = this.deps;
    const sum = { memories: 0, sessions: 0, events: 0, records: 0 };
    for (;;) {
      const { rows } = await memories.list(tenantId, { offset: 0, limit: PAGE });
      if (rows.length === 0) return sum;
      for (const { memoryId } of rows) {
        const usage = await directory.usage(tenantId, memoryId);
        const { current, superseded } = await records.count(tenantId, memoryId);
        try {
          await deleteMemory.execute(tenantId, memoryId);
        } catch (error) {
          // Deleted by a concurrent call.
          if (error instanceof MemoryNotFound) continue;
          throw error;
        }
        sum.memories += 1;
        sum.sessions += usage.sessions;
        sum.events += usage.messages + usage.binaryEvents;
        sum.records += current + superseded;
      }
    }
  }
}
