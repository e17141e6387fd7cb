import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from './workspace.mjs';

/** A program of an installed package. */
export const localProgram = (name) => join(workspaceRoot, 'node_modules', '.bin', name);

/** Running commands, so that an interrupted launcher leaves none behind. */
const active = new Set();
let ended = false;
const FAREWELL_MS = 5_000;

/** Terminates the running commands, and prevents new ones. */
export const endCommands = async () => {
  ended = true;
  const gone = [...active].map((child) => new Promise((resolve) => child.once('close', resolve)));
  active.forEach((child) => child.kill('SIGTERM'));
  const force = setTimeout(() => active.forEach((child) => child.kill('SIGKILL')), FAREWELL_MS);
  await Promise.all(gone);
  clearTimeout(force);
};

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, uid?: number, gid?: number, onLine?: (line: string) => void,
 *           evenAtTheEnd?: boolean, background?: boolean }} [options] `evenAtTheEnd` is for commands that themselves end
 *           something; a `background` command gets the CPU time that others leave
 * @returns {Promise<{ code: number, output: string }>} code 127 when the command could not be started;
 *   output holds stdout and stderr, in the order of their arrival
 */
export const run = (
  command,
  args,
  { onLine, evenAtTheEnd = false, background = false, cwd = workspaceRoot, ...options } = {},
) =>
  new Promise((resolve) => {
    if (ended && !evenAtTheEnd) return resolve({ code: 130, output: '' });
    const child = spawn(command, args, { ...options, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    if (background && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    active.add(child);
    let output = '';
    let pending = '';
    const take = (text) => {
      output += text;
      const lines = (pending + text).split(/\r?\n/);
      pending = lines.pop() ?? '';
      lines.forEach((line) => onLine?.(line));
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
    child.once('error', (error) => {
      active.delete(child);
      resolve({ code: 127, output: output + error.message });
    });
    child.once('close', (code, signal) => {
      active.delete(child);
      if (pending) onLine?.(pending);
      resolve({ code: code ?? (signal ? 1 : 0), output });
    });
  });

/** Like `run`, but a failure throws an error with the end of the output. */
export const runOrThrow = async (command, args, options) => {
  const result = await run(command, args, options);
  if (result.code === 0) return result;
  throw new Error(`${[command, ...args].join(' ')} failed (exit ${result.code}).\n${lastLines(result.output)}`);
};

/** @param {string} text */
export const lastLines = (text, count = 25) => text.trimEnd().split('\n').slice(-count).join('\n');
