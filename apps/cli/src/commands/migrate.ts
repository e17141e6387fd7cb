import { migrateLog } from '@turnkeeper/event-store';
import { migrateReadModels } from '@turnkeeper/read-models';

/** The log first: the read models refer to its sessions. Safe to run from many places at once. */
export const migrate = async (databaseUrl: string): Promise<void> => {
  await migrateLog(databaseUrl);
  await migrateReadModels(databaseUrl);
  process.stdout.write('The database is up to date.\n');
};
