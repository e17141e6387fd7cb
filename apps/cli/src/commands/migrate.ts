import { migrateDatabase, MissingGrants, prepareServiceLogin } from '@turnkeeper/postgres';
import { settingsTable } from '@turnkeeper/platform';

/**
 * Migrates the database, then creates the services' login if it is a separate one. Safe to run concurrently.
 */
export const migrate = async (ownerUrl: string): Promise<void> => {
  await migrateDatabase(ownerUrl);
  process.stdout.write('The database is up to date.\n');
  const { DATABASE_URL: databaseUrl, QUEUE_URL: queueUrl, QUEUE_PREFIX, ROW_LEVEL_SECURITY } = process.env;
  if (databaseUrl === undefined || databaseUrl === '') return;
  const queueSchema = settingsTable.QUEUE_PREFIX.schema.parse(QUEUE_PREFIX || undefined);
  const rowLevelSecurity = settingsTable.ROW_LEVEL_SECURITY.schema.parse(ROW_LEVEL_SECURITY || undefined);
  const login = { databaseUrl, queueUrl, queueSchema, rowLevelSecurity };
  const outcome = await prepareServiceLogin(ownerUrl, login).catch((error: unknown) => {
    if (error instanceof MissingGrants) process.stderr.write(statementsOf(error));
    throw error;
  });
  if (outcome !== 'owner') process.stdout.write(`The login of DATABASE_URL is ${OUTCOMES[outcome]}.\n`);
};

const OUTCOMES = {
  created: 'created, and owns nothing',
  granted: 'now a member of the roles of row-level security',
  ready: 'ready',
};

const statementsOf = ({ statements }: MissingGrants): string =>
  ['The services cannot start yet. Let a database administrator run:', '', ...statements.map((each) => `  ${each}`), '']
    .concat('Then run `migrate` again, which grants the roles their tables (docs/operate/security.md).', '')
    .join('\n');
