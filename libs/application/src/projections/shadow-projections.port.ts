import type { LogEvent } from '@turnkeeper/domain';
import { failure } from '../shared/failure.js';
import type { Transaction } from '../shared/transaction.port.js';

/** Digest of a projection's table, independent of row order. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** Hex; equal for equal contents. */
  readonly hash: string;
}

/** Differences between a table and the log. */
export interface TableDrift {
  readonly table: string;
  /** Expected rows that were absent. */
  readonly missing: number;
  /** Rows that should not exist. */
  readonly surplus: number;
  /** Rows with different content. */
  readonly changed: number;
}

export interface Replacement {
  /** Contents before the rebuild. */
  readonly before: readonly TableDigest[];
  /** Contents rebuilt from the log; also the current contents, unless the run only compared. */
  readonly rebuilt: readonly TableDigest[];
  /** Only tables that differed. */
  readonly drift: readonly TableDrift[];
}

/** Another process is rebuilding the projections of this database. */
export class RebuildIsRunning extends failure(
  'rebuild.running',
  'Another process is rebuilding the projections of this database.',
) {}

/** A second set of projections. It starts empty and is not read until it replaces the first. */
export interface ShadowProjections {
  /** Rejects with `RebuildIsRunning`. Deletes the leftovers of a rebuild that died. */
  open(): Promise<void>;
  /** Runs a transaction in which every store writes to the shadow. */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Compares the shadow with the live projections and, unless `onlyCompare` is set, replaces them. One transaction,
   * during which projections can be read but not written. It may be retried from the start.
   *
   * @param catchUp brings the shadow up to the head of the log
   */
  replace(
    catchUp: (tx: Transaction) => Promise<void>,
    options: { readonly onlyCompare: boolean },
  ): Promise<Replacement>;
  /** Drops the shadow. */
  close(): Promise<void>;

  /** Stores the owner of a session's rows for `forgetSessions`: an erasure event carries only the session key. */
  noteSession(
    tx: Transaction,
    session: Pick<LogEvent, 'sessionKey' | 'memoryId' | 'actorId' | 'sessionId'>,
  ): Promise<void>;
  /**
   * Deletes the rows of the erased sessions. Records have events of their own; those whose events the erasure deleted
   * are deleted by `replace`.
   */
  forgetSessions(tx: Transaction, erasure: LogEvent<'content.erased'>): Promise<void>;
  /** Deletes all rows of a memory. */
  forgetMemory(tx: Transaction, memoryId: string): Promise<void>;
}
