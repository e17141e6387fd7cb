/**
 * One database transaction, handed from use case to adapters so that two of them can write in it.
 * Use cases only pass it on; adapters run SQL in it.
 */
export interface Transaction {
  /** Runs one statement and gives its rows. */
  query(text: string, parameters?: unknown[]): Promise<unknown[]>;
}

export interface UnitOfWork {
  /**
   * Runs `work` in one transaction; commits when it resolves and rolls back when it throws. When it throws `Restart`, or
   * the database broke a deadlock at its cost, it runs again from the start, a few times at most.
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** The same, on a connection that sees this tenant's rows only. For everything that a tenant asked for. */
  runFor<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** The work saw something that others changed meanwhile, and wants to begin anew. */
export class Restart extends Error {
  constructor() {
    super('The transaction is to be run again.');
    this.name = 'Restart';
  }
}
