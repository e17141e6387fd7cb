import { RecordNotFound } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { RecordFilter, RecordReader, RecordView } from './record-reader.port.js';

interface Deps {
  readonly memories: MemoryStore;
  readonly records: RecordReader;
}

/** Lists records of a memory, newest first. */
export class ListRecords {
  constructor(private readonly deps: Deps) {}

  async execute(tenantId: string, memoryId: string, filter: RecordFilter): Promise<readonly RecordView[]> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    return this.deps.records.list(tenantId, memoryId, filter);
  }
}

/** Returns one record. */
export class GetRecord {
  constructor(private readonly deps: Deps) {}

  async execute(tenantId: string, memoryId: string, recordId: string): Promise<RecordView> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    const record = await this.deps.records.find(tenantId, memoryId, recordId);
    if (record === null) throw new RecordNotFound();
    return record;
  }
}
