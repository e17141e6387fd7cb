import type { Appended, AppendRequest } from '../log/event-store.port.js';

/**
 * One database transaction, passed from use cases to adapters so that several adapters can write in it. Use cases only
 * pass it on; adapters run SQL in it.
 */
export interface Transaction {
  /** Runs one statement and returns its rows. */
  query(text: string, parameters?: unknown[]): Promise<unknown[]>;
}

/** A transaction that ends with an append. Its rows are written before the events are in the log. */
export interface AppendingTransaction extends Transaction {
  /** Recording time of its events, by the database's clock (ISO 8601, ms). Repeated calls return the same value. */
  recordedAt(): Promise<string>;
}

/**
 * What may follow an append in its transaction: filling in log positions. A closed list of data, not SQL, so that nothing
 * else can run while the head of the log is locked. `agent` sets the position of the event that started or ended the
 * agent; its row must be locked by the transaction.
 */
export interface Settlement {
  readonly kind: 'agent';
  readonly agentId: string;
  readonly eventId: string;
}

/** How a transaction ends. */
export interface Ending<T> {
  /** Appended in this order, all or none. If empty, the transaction just commits. */
  readonly append: readonly AppendRequest[];
  /** Run between append and commit, in the same message. */
  readonly settle?: readonly Settlement[];
  /**
   * What to do if the log already has a request. `undo`: roll back the transaction; `result` receives the original
   * answers. `skip`: omit that request and keep the rest. Default: `undo`.
   */
  readonly repeats?: 'undo' | 'skip';
  /** Called after the commit with one answer per request, in order. Errors that it throws propagate. */
  readonly result: (appended: readonly Appended[]) => T;
}

/**
 * The log's part of a transaction that ends with an append. The unit of work owns the connection and does the rest.
 */
export interface StagedAppend {
  /** Passes the requests to the connection. Takes no lock that an append waits for. */
  stage(tx: Transaction, requests: readonly AppendRequest[], recordedAt: string | null): Promise<void>;
  /** The short statement that appends what was staged, or fails. Its only column is the answer. */
  readonly statement: string;
  /** Parses the statement's result. @param tookMs time until the commit was answered, for metrics */
  answersOf(requests: readonly AppendRequest[], row: unknown, tookMs: number): readonly Appended[];
  /**
   * What a failed statement means for each request: the original answer if the log already has it, else null. Throws
   * the refusal if a request was refused, and any other error.
   */
  repeatsOf(requests: readonly AppendRequest[], error: unknown): readonly (Appended | null)[];
}

export interface UnitOfWork {
  /**
   * Runs `work` in one transaction; commits when it resolves and rolls back when it throws. On `Restart` or a deadlock
   * it is retried from the start, a limited number of times.
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Like `run`, on a connection restricted to this tenant's rows. For everything requested by a tenant. */
  runFor<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction that ends with the append returned by `work`. The append, its settlements and the
   * commit go to the database as one message, so a process that dies never keeps the head of the log locked. Rejects
   * like `EventStore.append`; then everything is rolled back.
   */
  append<T>(work: (tx: AppendingTransaction) => Promise<Ending<T>>): Promise<T>;
  /** Like `append`, on a connection restricted to this tenant's rows. For everything requested by a tenant. */
  appendFor<T>(tenantId: string, work: (tx: AppendingTransaction) => Promise<Ending<T>>): Promise<T>;
}

/** An ending without an append. */
export const commitOnly = <T>(value: T): Ending<T> => ({ append: [], result: () => value });

/** The work found data that changed concurrently and must be run again. */
export class Restart extends Error {
  constructor() {
    super('The transaction must be repeated.');
    this.name = 'Restart';
  }
}
