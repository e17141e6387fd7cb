import type { LogEvent } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';

/** What a projection's table holds, without regard to the order of its rows. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** Hex; equal for equal contents. */
  readonly hash: string;
}

/** How a table differed from what the log says. */
export interface TableDrift {
  readonly table: string;
  /** Rows that it should have had and had not. */
  readonly missing: number;
  /** Rows that it had and should not have had. */
  readonly surplus: number;
  /** Rows with another content than they should have had. */
  readonly changed: number;
}

export interface Replacement {
  /** What was there. */
  readonly before: readonly TableDigest[];
  /** What the log makes; and what is there now, unless it was only compared. */
  readonly rebuilt: readonly TableDigest[];
  /** Only of tables that differed. */
  readonly drift: readonly TableDrift[];
}

/** Another process rebuilds the projections of this database at this moment. */
export class RebuildIsRunning extends Error {
  readonly code = 'rebuild.running';
  constructor() {
    super('Another process is rebuilding the projections of this database.');
    this.name = 'RebuildIsRunning';
  }
}

/** A second set of projections, empty at first and unread until it replaces the first. */
export interface ShadowProjections {
  /** Rejects with `RebuildIsRunning`. What an earlier one left behind when it died is gone. */
  open(): Promise<void>;
  /** A transaction in which every store writes to the shadow. */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Compares the shadow with what everybody reads and, unless told otherwise, puts it in its place; one transaction,
   * during which projections are not written but can be read. It may run again from its start.
   *
   * @param catchUp brings the shadow up to the end of the log
   */
  replace(
    catchUp: (tx: Transaction) => Promise<void>,
    options: { readonly onlyCompare: boolean },
  ): Promise<Replacement>;
  /** Drops the shadow. */
  close(): Promise<void>;

  /** Remembers who a session's rows belong to, for `forgetSessions`: after an erasure only its key is told. */
  noteSession(
    tx: Transaction,
    session: Pick<LogEvent, 'sessionKey' | 'memoryId' | 'actorId' | 'sessionId'>,
  ): Promise<void>;
  /** Takes away what belongs to these sessions, save for records. */
  forgetSessions(tx: Transaction, sessionKeys: readonly number[]): Promise<void>;
  /** Takes away everything of a memory. */
  forgetMemory(tx: Transaction, memoryId: string): Promise<void>;
}
