import { isTurnkeeperError } from '@turnkeeper/client';
import { errorLine, loadEnvFile } from '@turnkeeper/platform';
import { auditLogCommand } from './commands/audit-log.js';
import { createKey } from './commands/create-key.js';
import { createTenant, limitTenant, listKeys, listTenants, revokeKey, rotateKey } from './commands/manage-keys.js';
import { migrate } from './commands/migrate.js';
import { exportMemory, importMemory } from './commands/move-memory.js';
import { dropParked, listParked, reconcile, replayParked } from './commands/operate.js';
import { createMemory, listMemories, search, showMemory, tailSession } from './commands/read-memory.js';
import { rebuild } from './commands/rebuild.js';
import { sealSecrets } from './commands/seal-secrets.js';
import { HELP, UsageError, usageOf } from './usage.js';

type Command = (args: readonly string[]) => Promise<void>;
const onDatabase =
  (command: (databaseUrl: string, args: readonly string[]) => Promise<void>): Command =>
  (args) =>
    command(requireDatabaseUrl(), args);

const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: onDatabase(migrate),
  rebuild: onDatabase(rebuild),
  'log audit': onDatabase(auditLogCommand),
  'key create': onDatabase(createKey),
  'key list': onDatabase(listKeys),
  'key rotate': onDatabase(rotateKey),
  'key revoke': onDatabase(revokeKey),
  'tenant create': onDatabase(createTenant),
  'tenant limit': onDatabase(limitTenant),
  'tenant list': onDatabase(listTenants),
  'secrets seal': onDatabase(sealSecrets),
  'memory list': listMemories,
  'memory create': createMemory,
  'memory show': showMemory,
  'session tail': tailSession,
  search,
  export: exportMemory,
  import: importMemory,
  'parked list': listParked,
  'parked replay': replayParked,
  'parked drop': dropParked,
  reconcile,
};

const requireDatabaseUrl = (): string => {
  const url = process.env['MIGRATION_DATABASE_URL'] || process.env['DATABASE_URL'];
  if (url === undefined || url === '') throw new Error('DATABASE_URL is required, in the environment or in .env.');
  return url;
};

/** `help` is one only as the first word: it can also be searched for. */
const isHelp = (arg: string, index: number): boolean =>
  arg === '--help' || arg === '-h' || (arg === 'help' && index === 0);

const main = async (args: readonly string[]): Promise<void> => {
  if (args.some(isHelp) || args.length === 0) {
    process.stdout.write(usageOf(args.filter((arg, index) => !isHelp(arg, index))));
    if (args.length === 0) process.exitCode = 2;
    return;
  }
  const name = Object.keys(HELP).find((command) => `${args.join(' ')} `.startsWith(`${command} `));
  if (name === undefined) throw new UsageError('There is no such command.');
  loadEnvFile();
  await COMMANDS[name]?.(args.slice(name.split(' ').length));
};

/** An option unknown to Node's parser, or without its value. */
const isUsage = (error: unknown): boolean =>
  error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');

/** One line, with what to do next. */
const lineOf = (error: unknown): string =>
  isTurnkeeperError(error)
    ? [error.message, error.next, `(${error.code})`].filter((part) => part !== undefined).join(' ')
    : errorLine(error).replace(/ \(ERR_PARSE_ARGS\w+\)$/, '');

// A reader such as `head` may close the output early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
const args = process.argv.slice(2);
main(args).catch((error: unknown) => {
  const usage = isUsage(error);
  process.stderr.write(`${lineOf(error)}\n`);
  if (usage) process.stderr.write(`\n${usageOf(args)}`);
  process.exit(usage ? 2 : 1);
});
