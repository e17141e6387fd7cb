#!/usr/bin/env node
import { isTurnkeeperError } from '@turnkeeper/client';
import { errorLine, loadEnvFile } from '@turnkeeper/platform';
import { HELP, UsageError, usageOf } from './usage.js';
import { VERSION } from './version.js';

type Command = (args: readonly string[]) => Promise<void>;
type DatabaseCommand = (databaseUrl: string, args: readonly string[]) => Promise<void>;

/** Loaded when it is used: the database driver takes most of the time that a command needs. */
const onDatabase =
  (load: () => Promise<DatabaseCommand>): Command =>
  async (args) =>
    (await load())(requireDatabaseUrl(), args);
const onServer =
  (load: () => Promise<Command>): Command =>
  async (args) =>
    (await load())(args);

const keys = () => import('./commands/manage-keys.js');
const memories = () => import('./commands/read-memory.js');
const files = () => import('./commands/move-memory.js');
const operations = () => import('./commands/operate.js');

const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: onDatabase(async () => (await import('./commands/migrate.js')).migrate),
  rebuild: onDatabase(async () => (await import('./commands/rebuild.js')).rebuild),
  'log audit': onDatabase(async () => (await import('./commands/audit-log.js')).auditLogCommand),
  'key create': onDatabase(async () => (await import('./commands/create-key.js')).createKey),
  'key list': onDatabase(async () => (await keys()).listKeys),
  'key rotate': onDatabase(async () => (await keys()).rotateKey),
  'key revoke': onDatabase(async () => (await keys()).revokeKey),
  'tenant create': onDatabase(async () => (await keys()).createTenant),
  'tenant list': onDatabase(async () => (await keys()).listTenants),
  'tenant limit': onDatabase(async () => (await keys()).limitTenant),
  'secrets seal': onDatabase(async () => (await import('./commands/seal-secrets.js')).sealSecrets),
  'memory list': onServer(async () => (await memories()).listMemories),
  'memory create': onServer(async () => (await memories()).createMemory),
  'memory show': onServer(async () => (await memories()).showMemory),
  'session tail': onServer(async () => (await memories()).tailSession),
  search: onServer(async () => (await memories()).search),
  mcp: onServer(async () => (await import('./commands/mcp.js')).mcp),
  export: onServer(async () => (await files()).exportMemory),
  import: onServer(async () => (await files()).importMemory),
  'parked list': onServer(async () => (await operations()).listParked),
  'parked replay': onServer(async () => (await operations()).replayParked),
  'parked drop': onServer(async () => (await operations()).dropParked),
  'webhook send-now': onServer(async () => (await operations()).sendNow),
  reconcile: onServer(async () => (await operations()).reconcile),
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
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
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
