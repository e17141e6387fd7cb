import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The child is a plain Node process, so it needs the build. */
const BUILT = new URL('../dist/background-process.js', import.meta.url).href;

const PRINT = `
  const { existsSync, readdirSync, readFileSync } = await import('node:fs');
  const { runInBackground } = await import(${JSON.stringify(BUILT)});
  runInBackground();
  const niceOf = (id) => {
    const stat = readFileSync('/proc/self/task/' + id + '/stat', 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  };
  const group = '/proc/self/autogroup';
  console.log(JSON.stringify({
    threads: readdirSync('/proc/self/task').map(niceOf),
    session: existsSync(group) ? readFileSync(group, 'utf8').trim().split(' ').at(-1) : null,
  }));`;

const started = async (detached: boolean): Promise<{ threads: number[]; session: string | null }> => {
  const args = ['--input-type=module', '--eval', PRINT];
  const child = spawn(process.execPath, args, { detached, stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout));
};

it.runIf(process.platform === 'linux')(
  'runs all threads at a lower priority, and the session if it is its own',
  async () => {
    const [own, shared] = [await started(true), await started(false)];
    expect(own.threads.length).toBeGreaterThan(1);
    for (const nice of [...own.threads, ...shared.threads]) expect(nice).toBeGreaterThanOrEqual(5);
    if (!existsSync('/proc/self/autogroup')) return;
    expect(own.session).toBe('5');
    expect(shared.session).toBe('0');
  },
);
