import type { CheckpointView, PutCheckpointBody, PutCheckpointWritesBody } from '@turnkeeper/contracts';
import { CheckpointNotFound } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { CheckpointScope, CheckpointSearch, CheckpointStore } from '../ports/checkpoint-store.port.js';
import type { SessionScope } from '../ports/event-store.port.js';
import type { MemoryStore } from '../ports/memory-store.port.js';

interface Deps {
  readonly checkpoints: CheckpointStore;
  readonly memories: MemoryStore;
}

/** Reads and writes checkpoints of agent graphs. */
export class GraphCheckpoints {
  constructor(private readonly deps: Deps) {}

  put(scope: SessionScope, checkpoint: PutCheckpointBody): Promise<void> {
    return this.deps.checkpoints.put(scope, checkpoint);
  }

  putWrites(scope: SessionScope, writes: PutCheckpointWritesBody): Promise<void> {
    return this.deps.checkpoints.putWrites(scope, writes);
  }

  /**
   * @param checkpointId undefined for the newest
   * @throws CheckpointNotFound
   */
  async get(scope: SessionScope, namespace: string, checkpointId: string | undefined): Promise<CheckpointView> {
    const search = { namespace, checkpointId, before: undefined, filter: {}, limit: 1, after: null };
    const [found] = await this.deps.checkpoints.search(scope, search);
    if (found !== undefined) return found;
    await this.require(scope);
    throw new CheckpointNotFound();
  }

  async search(scope: CheckpointScope, search: CheckpointSearch): Promise<readonly CheckpointView[]> {
    const found = await this.deps.checkpoints.search(scope, search);
    if (found.length === 0) await this.require(scope);
    return found;
  }

  async delete(scope: CheckpointScope): Promise<void> {
    await this.require(scope);
    await this.deps.checkpoints.delete(scope);
  }

  private require({ tenantId, memoryId }: CheckpointScope): Promise<unknown> {
    return requireMemory(this.deps.memories, tenantId, memoryId);
  }
}
