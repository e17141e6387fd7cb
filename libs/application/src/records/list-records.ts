import { RecordNotFound, type Reach } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import { assertMayReadNamespace } from './may-read-namespace.js';
import type { RecordFilter, RecordView } from './record-reader.port.js';

type Deps = Pick<Ports, 'memories' | 'records'>;

/** Lists records of a memory, newest first. */
export class ListRecords {
  constructor(private readonly deps: Deps) {}

  /** Rejects with `OutOfReach` if the records are beyond what the caller reaches. */
  async execute(reach: Reach, memoryId: string, filter: RecordFilter): Promise<readonly RecordView[]> {
    const { tenantId } = reach;
    await assertMayReadNamespace(this.deps.memories, reach, memoryId, filter.namespace);
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
