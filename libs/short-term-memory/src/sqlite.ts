/** What `node:sqlite` and `libsql` have in common. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

interface SqliteStatement {
  run(...values: readonly (string | number | null)[]): unknown;
  get(...values: readonly (string | number | null)[]): unknown;
  all(...values: readonly (string | number | null)[]): unknown[];
}

type DatabaseClass = new (path: string) => SqliteDatabase;
export type SqliteDriver = 'node:sqlite' | 'libsql';

const DRIVERS: Readonly<Record<SqliteDriver, () => Promise<DatabaseClass | undefined>>> = {
  // Not imported: bundlers and older versions of Node do not know it.
  'node:sqlite': async () => {
    const { process } = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
    const sqlite = process?.getBuiltinModule?.('node:sqlite') as { DatabaseSync?: DatabaseClass } | undefined;
    return sqlite?.DatabaseSync;
  },
  libsql: async () => {
    try {
      return (await import('libsql')).default as unknown as DatabaseClass;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND') return undefined;
      throw error;
    }
  },
};

/**
 * Opens a file with the SQLite of Node (22.13 and later), otherwise with the package `libsql`.
 *
 * @throws Error if neither is there, or the file cannot be opened
 */
export const openSqlite = async (
  path: string,
  drivers: readonly SqliteDriver[] = ['node:sqlite', 'libsql'],
): Promise<SqliteDatabase> => {
  for (const driver of drivers) {
    const Database = await DRIVERS[driver]();
    if (Database !== undefined) return new Database(path);
  }
  throw new Error('A file needs Node 22.13 or later, or the package libsql: npm install libsql');
};
