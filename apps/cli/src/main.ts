import { auditLogCommand } from './commands/audit-log.js';
import { createKey } from './commands/create-key.js';
import { limitTenant, listKeys, revokeKey, rotateKey } from './commands/manage-keys.js';
import { migrate } from './commands/migrate.js';
import { rebuild } from './commands/rebuild.js';
import { usage, UsageError } from './usage.js';

const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  migrate: () => migrate(requireDatabaseUrl()),
  rebuild: (args) => rebuild(requireDatabaseUrl(), args),
  'log audit': (args) => auditLogCommand(requireDatabaseUrl(), args),
  'key create': (args) => createKey(requireDatabaseUrl(), args),
  'key list': (args) => listKeys(requireDatabaseUrl(), args),
  'key rotate': (args) => rotateKey(requireDatabaseUrl(), args),
  'key revoke': (args) => revokeKey(requireDatabaseUrl(), args),
  'tenant limit': (args) => limitTenant(requireDatabaseUrl(), args),
};

const requireDatabaseUrl = (): string => {
  const url = process.env['DATABASE_URL'];
  if (url === undefined || url === '') throw new UsageError('DATABASE_URL must be set.');
  return url;
};

const main = async (args: readonly string[]): Promise<void> => {
  const name = Object.keys(COMMANDS).find((command) => `${args.join(' ')} `.startsWith(`${command} `));
  if (name === undefined) throw new UsageError('No such command.');
  await COMMANDS[name]?.(args.slice(name.split(' ').length));
};

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(error instanceof UsageError ? `${error.message}\n\n${usage}` : `${(error as Error).stack}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
});
