/** The command line is invalid; exit code 2. */
export class UsageError extends Error {}

interface Help {
  readonly args: string;
  readonly about: string;
  readonly options?: readonly (readonly [option: string, about: string])[];
}

const JSON_OPTION = ['--json', 'print one line of JSON'] as const;

/** Every command, by its words on the command line. */
export const HELP: Readonly<Record<string, Help>> = {
  migrate: { args: '', about: 'Bring the database up to date' },
  'tenant create': { args: '--tenant NAME', about: 'Create a tenant', options: [JSON_OPTION] },
  'tenant limit': {
    args: '--tenant NAME [options]',
    about: "Set a tenant's own limits; without options, the installation's limits hold again",
    options: [
      ['--requests-per-second N', 'over all ingest processes'],
      ['--set NAME=N', 'another limit, or NAME=default; may be repeated. Names as in GET /v1/limits'],
      JSON_OPTION,
    ],
  },
  'key create': {
    args: '--tenant NAME [options]',
    about: 'Create an API key and print it, once',
    options: [
      ['--create-tenant', 'create the tenant if it does not exist'],
      ['--scopes a,b', 'default: what an application needs, without administration'],
      ['--description TEXT', 'shown in lists'],
      ['--expires-in-days N', 'or never; default: 90 with the scope admin, otherwise never'],
      ['--memory ID', 'the one memory that the key reaches'],
      ['--actor ID', 'the one actor whose data the key reaches'],
      JSON_OPTION,
    ],
  },
  'key list': { args: '--tenant NAME', about: "List a tenant's keys, ended ones included", options: [JSON_OPTION] },
  'key rotate': {
    args: '--tenant NAME --key ID [options]',
    about: 'Create a key that replaces another, which stays valid for the overlap',
    options: [['--overlap-hours N', 'default 24'], JSON_OPTION],
  },
  'key revoke': { args: '--tenant NAME --key ID', about: 'End a key now' },
  'secrets seal': {
    args: '[--json]',
    about: 'Encrypt every stored secret with the newest key, SECRETS_KEY; exit code 3 if some cannot be opened',
    options: [JSON_OPTION],
  },
  rebuild: {
    args: '[options]',
    about: 'Make every projection anew from the log',
    options: [['--check', 'only compare, and change nothing; exit code 3 if something differs'], JSON_OPTION],
  },
  'log audit': {
    args: '[--json]',
    about: 'Prove that the log has no gaps or duplicates; exit code 3 if it has',
    options: [JSON_OPTION],
  },
};

/** Help for one command, a group such as `key`, or all commands. */
export const usageOf = (words: readonly string[] = []): string => {
  const asked = words.filter((word) => !word.startsWith('-'));
  const command = Object.keys(HELP).find((name) => `${asked.join(' ')} `.startsWith(`${name} `));
  const help = command === undefined ? undefined : HELP[command];
  if (command !== undefined && help !== undefined) return helpOf(command, help);
  const names = Object.keys(HELP).filter((name) => asked.length === 0 || name.split(' ')[0] === asked[0]);
  const listed = names.length > 0 ? names : Object.keys(HELP);
  const lines = listed.map((name) => `  ${name.padEnd(15)}${HELP[name]?.about}`);
  return `Usage: turnkeeper <command> [options]\n\n${lines.join('\n')}\n\nturnkeeper <command> --help tells the options. ${DATABASE}`;
};

const DATABASE = 'Every command reads MIGRATION_DATABASE_URL, else DATABASE_URL, from the environment or from .env.\n';

const helpOf = (name: string, { args, about, options = [] }: Help): string => {
  const lines = options.map(([option, meaning]) => `  ${option.padEnd(26)}${meaning}\n`);
  return `Usage: turnkeeper ${name} ${args}\n\n${about}.\n${lines.length > 0 ? `\n${lines.join('')}` : ''}\n${DATABASE}`;
};
