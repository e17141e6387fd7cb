import { migrateDatabase, prepareServiceLogin } from '@turnkeeper/postgres';
import { settingsTable } from '@turnkeeper/platform';

/**
 * Migrates the database, then creates the services' login if it is a separate one. Safe to run concurrently.
 */
export const migrate = async (ownerUrl: string): Promise<void> => {
  await migrateDatabase(ownerUrl);
  process.stdout.write('The database is up to date.\n');
  const { DATABASE_URL: databaseUrl, QUEUE_URL: queueUrl, QUEUE_PREFIX } = process.env;
  if (databaseUrl === undefined || databaseUrl === '') return;
  const queueSchema = settingsTable.QUEUE_PREFIX.schema.parse(QUEUE_PREFIX || undefined);
  const outcome = await prepareServiceLogin(ownerUrl, { databaseUrl, queueUrl, queueSchema });
  if (outcome !== 'owner') process.stdout.write(`The login of DATABASE_URL is ${OUTCOMES[outcome]}.\n`);
};

const OUTCOMES = {
  created: 'created, and owns nothing',
  granted: 'now a member of the roles of row-level security',
  ready: 'ready',
};
