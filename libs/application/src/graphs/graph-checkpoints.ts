import type { CheckpointOperation, CheckpointView } from '@turnkeeper/contracts';
import {
  assertReaches,
  CheckpointNotFound,
  ThreadActorAmbiguous,
  ThreadActorUnknown,
  type Reach,
} from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { CheckpointScope, CheckpointSearch } from './checkpoint-store.port.js';
import type { MemoryScope, SessionScope } from '../log/event-store.port.js';

type Deps = Pick<Ports, 'checkpoints' | 'memories'>;

/** Reads and writes checkpoints of agent graphs. */
export class GraphCheckpoints {
  constructor(private readonly deps: Deps) {}

  /**
   * Runs all operations, each independently of the others.
   *
   * @throws the first failure, after all have settled
   */
  async batch(
    reach: Reach,
    { tenantId, memoryId }: MemoryScope,
    operations: readonly CheckpointOperation[],
  ): Promise<void> {
    for (const { actorId } of operations) assertReaches(reach, { memoryId, actorId });
    const { checkpoints } = this.deps;
    // Started in one turn of the event loop, so that the store can commit them together.
    const settled = await Promise.allSettled(
      operations.map((operation) => {
        const { actorId, sessionId } = operation;
        const scope = { tenantId, memoryId, actorId, sessionId };
        return operation.op === 'put' ? checkpoints.put(scope, operation) : checkpoints.putWrites(scope, operation);
      }),
    );
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
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

  /** Rejects with `OutOfReach` if the scope is beyond what the caller reaches. */
  async search(reach: Reach, scope: CheckpointScope, search: CheckpointSearch): Promise<readonly CheckpointView[]> {
    assertReaches(reach, { memoryId: scope.memoryId, actorId: scope.actorId ?? null });
    const found = await this.deps.checkpoints.search(scope, search);
    if (found.length === 0) await this.require(scope);
    return found;
  }

  /** Rejects with `OutOfReach` if the scope is beyond what the caller reaches. */
  async delete(reach: Reach, scope: CheckpointScope): Promise<void> {
    assertReaches(reach, { memoryId: scope.memoryId, actorId: scope.actorId ?? null });
    await this.require(scope);
    await this.deps.checkpoints.delete(scope);
  }

  /**
   * The only actor that has the thread. A caller who does not reach all actors of the memory is refused.
   *
   * @throws OutOfReach, ThreadActorUnknown if none has it, ThreadActorAmbiguous if several have
   */
  async actorOf(reach: Reach, scope: MemoryScope, sessionId: string): Promise<string> {
    assertReaches(reach, { memoryId: scope.memoryId, actorId: null });
    const [actorId, other] = await this.deps.checkpoints.actorsOf(scope, sessionId, 2);
    if (other !== undefined) throw new ThreadActorAmbiguous();
    if (actorId !== undefined) return actorId;
    await this.require(scope);
    throw new ThreadActorUnknown();
  }

  /**
   * Deletes a thread of its only actor, if there is one.
   *
   * @throws OutOfReach, ThreadActorAmbiguous if several have it
   */
  async deleteOfOnlyActor(reach: Reach, scope: MemoryScope, sessionId: string): Promise<void> {
    try {
      await this.deps.checkpoints.delete({ ...scope, actorId: await this.actorOf(reach, scope, sessionId), sessionId });
    } catch (error) {
      if (!(error instanceof ThreadActorUnknown)) throw error;
    }
  }

  private require({ tenantId, memoryId }: CheckpointScope): Promise<unknown> {
    return requireMemory(this.deps.memories, tenantId, memoryId);
  }
}
