import type { Transaction } from '../shared/transaction.port.js';
import type { PageAfter } from '../memories/memory-store.port.js';

/** Which records to delete. Absent (null) fields do not filter. */
export interface DeletionFilter {
  readonly namespace: string | null;
  readonly strategyId: string | null;
  readonly actorId: string | null;
  /** By creation time; start and end are inclusive (ISO 8601). */
  readonly createdFrom: string | null;
  readonly createdTo: string | null;
}

/** A request to delete many records, and its progress. */
export interface RecordDeletion {
  readonly deletionId: string;
  readonly tenantId: string;
  readonly memoryId: string;
  /** Null once finished: it may name a person. */
  readonly filter: DeletionFilter | null;
  readonly status: 'pending' | 'running' | 'finished';
  /** Number of matching records; null until they have been counted. */
  readonly found: number | null;
  readonly deleted: number;
  /** Failed attempts since the last progress. */
  readonly attempts: number;
  readonly requestedAt: string;
  readonly finishedAt: string | null;
}

/** The next records of a deletion. All of them are in one namespace and belong to one actor. */
export interface DeletionBatch {
  readonly namespace: string;
  readonly recordIds: readonly string[];
}

/** Requests to delete many records. The worker carries them out in batches. */
export interface RecordDeletions {
  /** Resolves to false if the tenant has `most` unfinished requests. */
  insert(
    tx: Transaction,
    deletion: Pick<RecordDeletion, 'deletionId' | 'tenantId' | 'memoryId'> & { readonly filter: DeletionFilter },
    most: number,
  ): Promise<boolean>;
  find(tenantId: string, memoryId: string, deletionId: string): Promise<RecordDeletion | null>;
  /** Newest first, starting after `after` (a deletion id). */
  list(tenantId: string, memoryId: string, page: PageAfter): Promise<readonly RecordDeletion[]>;

  /** Unfinished requests whose next attempt is due, oldest first. */
  due(limit: number): Promise<readonly Pick<RecordDeletion, 'deletionId' | 'tenantId' | 'memoryId'>[]>;
  /** Locks the request until the transaction ends. Null if it is finished, or if another process holds it. */
  hold(tx: Transaction, tenantId: string, deletionId: string): Promise<RecordDeletion | null>;
  /** Lists the records that match and were created before the request, and counts them. */
  listMatches(tx: Transaction, deletion: RecordDeletion): Promise<void>;
  /** The next batch of the list; null if nothing is left. */
  next(tx: Transaction, tenantId: string, deletionId: string, limit: number): Promise<DeletionBatch | null>;
  /** Removes the batch from the list and counts what was deleted. */
  advance(
    tx: Transaction,
    tenantId: string,
    deletionId: string,
    done: { readonly recordIds: readonly string[]; readonly deleted: number },
  ): Promise<void>;
  finish(tx: Transaction, tenantId: string, deletionId: string): Promise<void>;
  /** Counts a failed attempt; the next one follows after a pause that grows to five minutes. */
  fail(tenantId: string, deletionId: string): Promise<void>;
  /** Deletes requests that finished more than `days` ago. Resolves to the number of rows. */
  forgetFinished(days: number, limit: number): Promise<number>;
}
