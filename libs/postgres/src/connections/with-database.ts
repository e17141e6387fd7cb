import { createDataSource, type DatabaseOptions } from './database.js';

export type Database = ReturnType<typeof createDataSource>;

/** Runs one command on a database and closes its connections. */
export const withDatabase = async <T>(
  options: DatabaseOptions,
  work: (dataSource: Database) => Promise<T>,
): Promise<T> => {
  const dataSource = createDataSource(options);
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
};
