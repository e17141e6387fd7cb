import { errorLine, loadEnvFile } from '@turnkeeper/platform';
import { auditLogCommand } from './commands/audit-log.js';
import { createKey } from './commands/create-key.js';
import { createTenant, limitTenant, listKeys, revokeKey, rotateKey } from './commands/manage-keys.js';
import { migrate } from './commands/migrate.js';
import { rebuild } from './commands/rebuild.js';
import { sealSecrets } from './commands/seal-secrets.js';
import { HELP, UsageError, usageOf } from './usage.js';

const COMMANDS: Readonly<Record<string, (databaseUrl: string, args: readonly string[]) => Promise<void>>> = {
  migrate,
  rebuild,
  'log audit': auditLogCommand,
  'key create': createKey,
  'key list': listKeys,
  'key rotate': rotateKey,
  'key revoke': revokeKey,
  'tenant create': createTenant,
  'tenant limit': limitTenant,
  'secrets seal': sealSecrets,
};

const requireDatabaseUrl = (): string => {
  const url = process.env['MIGRATION_DATABASE_URL'] || process.env['DATABASE_URL'];
  if (url === undefined || url === '') throw new Error('DATABASE_URL is required, in the environment or in .env.');
  return url;
};

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h' || arg === 'help';

const main = async (args: readonly string[]): Promise<void> => {
  if (args.some(isHelp) || args.length === 0) {
    process.stdout.write(usageOf(args.filter((arg) => !isHelp(arg))));
    if (args.length === 0) process.exitCode = 2;
    return;
  }
  const name = Object.keys(HELP).find((command) => `${args.join(' ')} `.startsWith(`${command} `));
  if (name === undefined) throw new UsageError('There is no such command.');
  loadEnvFile();
  await COMMANDS[name]?.(requireDatabaseUrl(), args.slice(name.split(' ').length));
};

/** An option unknown to Node's parser, or without its value. */
const isUsage = (error: unknown): boolean =>
  error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');

const args = process.argv.slice(2);
main(args).catch((error: unknown) => {
  const usage = isUsage(error);
  process.stderr.write(`${errorLine(error).replace(/ \(ERR_PARSE_ARGS\w+\)$/, '')}\n`);
  if (usage) process.stderr.write(`\n${usageOf(args)}`);
  process.exit(usage ? 2 : 1);
});
