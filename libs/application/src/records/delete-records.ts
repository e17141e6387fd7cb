import { RecordDeletionNotFound, TooManyRecordDeletions } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryScope, AppendRequest } from '../log/event-store.port.js';
import type { HeldRecord } from './record-writer.port.js';
import type { DeletionBatch, DeletionFilter, RecordDeletion, RecordDeletions } from './record-deletions.port.js';
import { commitOnly, type AppendingTransaction, type Transaction } from '../shared/transaction.port.js';
import { withdrawRecords } from './change-record.js';
import type { RecordChangeDeps } from './insert-records.js';
import type { PageAfter } from '../memories/memory-store.port.js';

/** Maximum number of unfinished requests of a tenant. */
const MAX_UNFINISHED_DELETIONS = 100;

type Deps = RecordChangeDeps & { readonly deletions: RecordDeletions };

/** Accepts a request within a transaction. Rejects with `TooManyRecordDeletions`. */
export const requestDeletion = async (
  { deletions, ids }: Pick<Deps, 'deletions' | 'ids'>,
  tx: Transaction,
  scope: MemoryScope,
  filter: DeletionFilter,
): Promise<string> => {
  const deletionId = ids.next();
  const accepted = await deletions.insert(tx, { deletionId, ...scope, filter }, MAX_UNFINISHED_DELETIONS);
  if (!accepted) throw new TooManyRecordDeletions(MAX_UNFINISHED_DELETIONS);
  return deletionId;
};

/** Accepts requests to delete many records and reports their progress. The worker carries them out. */
export class RequestRecordDeletion {
  constructor(private readonly deps: Deps) {}

  async execute(tenantId: string, memoryId: string, filter: DeletionFilter): Promise<RecordDeletion> {
    const { unitOfWork, memories } = this.deps;
    await requireMemory(memories, tenantId, memoryId);
    const deletionId = await unitOfWork.runFor(tenantId, (tx) =>
      requestDeletion(this.deps, tx, { tenantId, memoryId }, filter),
    );
    return this.get(tenantId, memoryId, deletionId);
  }

  /** Rejects with `RecordDeletionNotFound`. */
  async get(tenantId: string, memoryId: string, deletionId: string): Promise<RecordDeletion> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    const deletion = await this.deps.deletions.find(tenantId, memoryId, deletionId);
    if (deletion === null) throw new RecordDeletionNotFound();
    return deletion;
  }

  async list(tenantId: string, memoryId: string, page: PageAfter): Promise<readonly RecordDeletion[]> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    return this.deps.deletions.list(tenantId, memoryId, page);
  }
}

/** Records per transaction. Bounds how long a namespace is locked; the log's head is held for one append only. */
const BATCH = 200;
/** Requests per call of `execute`. */
const MAX_AT_ONCE = 20;

/**
 * Carries out requests to delete many records, one batch per transaction. Each batch is recorded in the log like a
 * single deletion. Safe to run in several workers, and to stop at any time.
 */
export class DeleteRequestedRecords {
  constructor(
    private readonly deps: Deps &
      Pick<Ports, 'erasure'> & {
        /** Called with the error of a failed attempt. The request is tried again later. */
        readonly failed: (deletionId: string, error: unknown) => void;
      },
  ) {}

  /** @returns number of deleted records. Stops after the current batch when aborted. */
  async execute(signal?: AbortSignal): Promise<number> {
    const { deletions } = this.deps;
    let deleted = 0;
    for (const { tenantId, deletionId } of await deletions.due(MAX_AT_ONCE)) {
      try {
        while (signal?.aborted !== true) {
          const done = await this.batch(tenantId, deletionId);
          if (done === null) break;
          deleted += done;
        }
      } catch (error) {
        this.deps.failed(deletionId, error);
        await deletions.fail(tenantId, deletionId);
      }
    }
    return deleted;
  }

  /** Number of deleted records; null if the request is finished or held by another process. */
  private batch(tenantId: string, deletionId: string): Promise<number | null> {
    const { unitOfWork, deletions } = this.deps;
    return unitOfWork.appendFor<number | null>(tenantId, async (tx) => {
      const deletion = await deletions.hold(tx, tenantId, deletionId);
      if (deletion === null) return commitOnly(null);
      if (deletion.found === null) {
        await deletions.listMatches(tx, deletion);
        return commitOnly(0);
      }
      const batch = await deletions.next(tx, tenantId, deletionId, BATCH);
      if (batch === null) {
        await deletions.finish(tx, tenantId, deletionId);
        return commitOnly(null);
      }
      const held = await this.hold(tx, deletion, batch);
      const done = { recordIds: batch.recordIds, deleted: held.length };
      await deletions.advance(tx, tenantId, deletionId, done);
      const append: AppendRequest[] = [];
      // An actor may have been erased since the records were listed.
      for (const actorId of new Set(held.map((record) => record.actorId))) {
        const ofActor = held.filter((record) => record.actorId === actorId);
        append.push(...(await withdrawRecords(this.deps, tx, deletion, ofActor)));
      }
      return { append, result: () => held.length };
    });
  }

  /** Records that were deleted in the meantime are skipped. */
  private async hold(
    tx: AppendingTransaction,
    { tenantId, memoryId }: RecordDeletion,
    { namespace, recordIds }: DeletionBatch,
  ): Promise<readonly HeldRecord[]> {
    const { recordWriter } = this.deps;
    await recordWriter.lockNamespace(tx, memoryId, namespace);
    const held: HeldRecord[] = [];
    for (const recordId of recordIds) {
      const record = await recordWriter.hold(tx, tenantId, memoryId, recordId);
      if (record !== null) held.push(record);
    }
    return held;
  }
}
