import type { Appended, AppendRequest } from './event-store.port.js';

/**
 * One database transaction, handed from use case to adapters so that two of them can write in it.
 * Use cases only pass it on; adapters run SQL in it.
 */
export interface Transaction {
  /** Runs one statement and gives its rows. */
  query(text: string, parameters?: unknown[]): Promise<unknown[]>;
}

/** A transaction that ends with an append. Its rows are written before the events are in the log. */
export interface AppendingTransaction extends Transaction {
  /** When its events are recorded, by the database's clock (ISO 8601, ms). Asked for again, it is the same. */
  recordedAt(): Promise<string>;
}

/** A statement that an adapter made to go with the append: it fills in places in the log. Opaque to use cases. */
export interface Settlement {
  readonly statement: string;
}

/** What a transaction ends with. */
export interface Ending<T> {
  /** Stored in this order, all or none. When there are none, the transaction just commits. */
  readonly append: readonly AppendRequest[];
  /** Run between the append and the commit, in the same message. They touch rows that the transaction holds already. */
  readonly settle?: readonly Settlement[];
  /**
   * What happens when the log has a request already. `undo`: nothing of the transaction is kept, and `result` sees the
   * first answers. `skip`: the request is left out, and the rest is kept. Default `undo`.
   */
  readonly repeats?: 'undo' | 'skip';
  /** Called with an answer per request, in order, after the commit. What it throws is thrown on. */
  readonly result: (appended: readonly Appended[]) => T;
}

/**
 * The log's half of a transaction that ends with an append; the unit of work, which owns the connection, is the other
 * half.
 */
export interface StagedAppend {
  /** Hands the requests to the connection. Takes no lock that an append waits for. */
  stage(tx: Transaction, requests: readonly AppendRequest[], recordedAt: string | null): Promise<void>;
  /** The short statement that appends what was staged, or fails. Its only column is the answer. */
  readonly statement: string;
  /** The answers, from what the statement gave. @param tookMs until the commit was answered, for metrics */
  answersOf(requests: readonly AppendRequest[], row: unknown, tookMs: number): readonly Appended[];
  /**
   * What the statement's failure means for each request: the first answer, when the log has it already, or null. Throws
   * the refusal, if one of them was refused, or what else failed.
   */
  repeatsOf(requests: readonly AppendRequest[], error: unknown): readonly (Appended | null)[];
}

export interface UnitOfWork {
  /**
   * Runs `work` in one transaction; commits when it resolves and rolls back when it throws. When it throws `Restart`, or
   * the database broke a deadlock at its cost, it runs again from the start, a few times at most.
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same, on a connection that sees this tenant's rows only. For everything that a tenant asked for. */
  runFor<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction, which ends with the append that `work` resolves to. The append, what it settles and
   * the commit go to the database as one message, so a process that stops at any moment never holds the head of the log.
   * Rejects as `EventStore.append` does; then nothing is kept.
   */
  append<T>(work: (tx: AppendingTransaction) => Promise<Ending<T>>): Promise<T>;
  /** The same, on a connection that sees this tenant's rows only. For everything that a tenant asked for. */
  appendFor<T>(tenantId: string, work: (tx: AppendingTransaction) => Promise<Ending<T>>): Promise<T>;
}

/** An ending without an append. */
export const commitOnly = <T>(value: T): Ending<T> => ({ append: [], result: () => value });

/** The work saw something that others changed meanwhile, and wants to begin anew. */
export class Restart extends Error {
  constructor() {
    super('The transaction is to be run again.');
    this.name = 'Restart';
  }
}
