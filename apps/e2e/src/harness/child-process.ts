import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { RUNTIMES } from '@turnkeeper/testing';
import { scanOutput } from './planted-markers.js';
import { mainOf, type App } from './workspace.js';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of one of our apps. */
export interface AppProcess {
  readonly pid: number;
  /** Resolves when the process has exited and all its output is read. */
  readonly exited: Promise<Exit>;
  /** The newest lines of both outputs, for error messages. */
  output(): string;
  /** Called with every line, earlier lines first. */
  onLine(listener: (line: string) => void): void;
  /** Sends the signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<Exit>;
}

const KEPT_LINES = 400;
/** Kept for the leak search. */
const KEPT_CHARACTERS = 16_000_000;
const running = new Set<ChildProcess>();
// No process survives the test run.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The Node that runs our apps: the one that runs the tests, or with `TK_E2E_NODE=lts` the current LTS. */
export const NODE = process.env['TK_E2E_NODE'] === 'lts' ? RUNTIMES.node() : process.execPath;

/** Starts an app from its build with the given environment and `PATH` only. */
export const startApp = (
  app: App,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): AppProcess => watch(app, NODE, [mainOf(app), ...args], environment);

/** Starts an installed command line, with the given environment and `PATH` only. */
export const startCommand = (
  path: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): AppProcess => watch('cli', path, args, environment);

const watch = (
  app: App,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): AppProcess => {
  const child = spawn(command, args, {
    // Outside the workspace, so that a developer's .env is not read.
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const lines: string[] = [];
  const all: string[] = [];
  let size = 0;
  const listeners: ((line: string) => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      size += line.length;
      if (size < KEPT_CHARACTERS) all.push(line);
      if (lines.length > KEPT_LINES) lines.shift();
      for (const listener of listeners) listener(line);
    });
  }
  const exited = once(child, 'close').then(([code, signal]): Exit => {
    running.delete(child);
    // Command line output is for the user who ran it and contains new keys, so it is not searched.
    if (app !== 'cli') scanOutput(app, all.join('\n'));
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  return {
    pid: child.pid ?? 0,
    exited,
    output: () => lines.join('\n'),
    onLine: (listener) => {
      lines.forEach(listener);
      listeners.push(listener);
    },
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
};

/** Runs one command of the command line tool to its end. */
export const runCli = async (
  args: readonly string[],
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const cli = startApp('cli', args, { DATABASE_URL: databaseUrl, ...settings });
  const { code } = await cli.exited;
  return { code, output: cli.output() };
};

/** The same, but a failing command fails the test. */
export const cliOutput = async (args: readonly string[], databaseUrl: string): Promise<string> => {
  const { code, output } = await runCli(args, databaseUrl);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
};
