import type { SearchRecordsBody } from '@turnkeeper/contracts';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { RecordHit, RecordStore } from '../ports/record-store.port.js';

interface Deps {
  readonly memories: MemoryStore;
  readonly records: RecordStore;
}

/** Ranks a namespace's records against a query, best first. */
export class SearchRecords {
  constructor(private readonly deps: Deps) {}

  async execute(
    tenantId: string,
    memoryId: string,
    namespace: string,
    body: SearchRecordsBody,
  ): Promise<readonly RecordHit[]> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    const { query: text, ...options } = body;
    return this.deps.records.search(tenantId, memoryId, namespace, { text, ...options });
  }
}
