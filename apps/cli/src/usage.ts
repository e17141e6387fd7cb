/** The command line is invalid; exit code 2. */
export class UsageError extends Error {}

interface Help {
  readonly args: string;
  readonly about: string;
  readonly options?: readonly (readonly [option: string, about: string])[];
  /** It calls a server and not the database. */
  readonly server?: true;
}

const JSON_OPTION = ['--json', 'print one line of JSON'] as const;

const JSON_LINES = ['--json', 'print one line of JSON for each'] as const;

/** Every command, by its words on the command line. */
export const HELP: Readonly<Record<string, Help>> = {
  migrate: { args: '', about: 'Bring the database up to date' },
  'tenant create': { args: '--tenant NAME', about: 'Create a tenant', options: [JSON_OPTION] },
  'tenant list': { args: '[--json]', about: 'List the tenants', options: [JSON_LINES] },
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
  'memory list': { args: '[--json]', about: 'List the memories', options: [JSON_LINES], server: true },
  'memory create': {
    args: '--name NAME [options]',
    about: 'Create a memory',
    options: [['--namespace TEMPLATE', 'extract facts into it, e.g. /facts/{actorId}'], JSON_OPTION],
    server: true,
  },
  'memory show': {
    args: '--memory ID [--json]',
    about: 'Show how much is in a memory, and whether it is extracted',
    options: [JSON_OPTION],
    server: true,
  },
  'session tail': {
    args: '--memory ID --actor ID --session ID [options]',
    about: 'Print the messages of a session, and new ones as they arrive',
    options: [
      ['--after N', 'only messages behind this sequence'],
      ['--no-follow', 'end at the newest message'],
      JSON_LINES,
    ],
    server: true,
  },
  search: {
    args: 'QUERY --memory ID [options]',
    about: 'Search the turns of a memory, or its records',
    options: [
      ['--actor ID', 'turns of this actor only'],
      ['--session ID', 'turns of this session of the actor only'],
      ['--namespace NAMESPACE', 'records of exactly this namespace'],
      ['--limit N', 'default 10'],
      JSON_LINES,
    ],
    server: true,
  },
  export: {
    args: '--memory ID [--out FILE]',
    about: 'Write a memory as lines of JSON',
    options: [['--out FILE', 'default: the output']],
    server: true,
  },
  import: {
    args: 'FILE [options]',
    about: 'Import an exported memory; repeat it to resume',
    options: [['--ids keep|new', 'new: a copy beside the original; default keep'], JSON_OPTION],
    server: true,
  },
  'parked list': {
    args: '[options]',
    about: 'List work that failed for good, of all tenants',
    options: [['--kind KIND', 'message, window, delivery or notice'], JSON_LINES],
    server: true,
  },
  'parked replay': {
    args: '--id ID [--ask-again]',
    about: 'Try parked work again',
    options: [['--ask-again', 'ask the model again, and do not use its stored answer']],
    server: true,
  },
  'parked drop': { args: '--id ID', about: 'Drop parked work', server: true },
  'webhook send-now': {
    args: '--endpoint ID (--delivery ID | --since TIME) [--json]',
    about: 'Try pending webhook deliveries now, without waiting for their next attempt',
    options: [['--since TIME', 'those planned since then, e.g. 2026-03-02T10:00:00Z'], JSON_OPTION],
    server: true,
  },
  reconcile: {
    args: '[--json]',
    about: 'Compare the stream with the log, and publish what is missing',
    options: [JSON_OPTION],
    server: true,
  },
  'secrets seal': {
    args: '[--json]',
    about: 'Encrypt every stored secret with the newest key, SECRETS_KEY; exit code 3 if some cannot be opened',
    options: [JSON_OPTION],
  },
  rebuild: {
    args: '[options]',
    about: 'Rebuild all projections from the log',
    options: [['--check', 'only compare, and change nothing; exit code 3 if something differs'], JSON_OPTION],
  },
  mcp: {
    args: '--memory ID [options]',
    about: 'Serve a memory to an MCP client on standard input and output',
    options: [
      ['--actor ID', 'the one actor whom the memory is about; otherwise every tool asks for one'],
      ['--url URL', 'of ingest; default: TURNKEEPER_URL'],
    ],
    server: true,
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
  const lines = listed.map((name) => `  ${name.padEnd(18)}${HELP[name]?.about}`);
  return `Usage: turnkeeper <command> [options]\n\n${lines.join('\n')}\n\nturnkeeper <command> --help lists the options of a command; --version prints the version.\n`;
};

const DATABASE = 'Uses the database of MIGRATION_DATABASE_URL, else DATABASE_URL, in the environment or in .env.\n';
const SERVER =
  'Calls the server of TURNKEEPER_URL (default http://127.0.0.1:8080) with TURNKEEPER_API_KEY, in the environment or in .env.\n';

const helpOf = (name: string, { args, about, options = [], server }: Help): string => {
  const lines = options.map(([option, meaning]) => `  ${option.padEnd(26)}${meaning}\n`);
  return `Usage: turnkeeper ${name} ${args}\n\n${about}.\n${lines.length > 0 ? `\n${lines.join('')}` : ''}\n${server === true ? SERVER : DATABASE}`;
};
