/**
 * One database transaction, handed from use case to adapters so that two of them can write in it.
 * Use cases only pass it on; adapters run SQL in it.
 */
export interface Transaction {
  /** Runs one statement and gives its rows. */
  query(text: string, parameters?: unknown[]): Promise<unknown[]>;
}

export interface UnitOfWork {
  /** Runs `work` in one transaction; commits when it resolves and rolls back when it throws. */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}
