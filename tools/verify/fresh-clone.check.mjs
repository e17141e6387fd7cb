// The README's commands, pasted into a shell in a fresh clone, by a user without privileges.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runOrThrow } from '../shared/command.mjs';
import { choosePorts } from '../shared/ports.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';

/** The user `nobody`, if the tests run as root. */
const PLAIN = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
let home;
let clone;
let environment;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'turnkeeper-fresh-'));
  clone = join(home, 'turnkeeper');
  await runOrThrow('git', ['clone', '--quiet', '--depth', '1', `file://${workspaceRoot}`, clone]);
  if (PLAIN.uid !== undefined) await runOrThrow('chown', ['-R', `${PLAIN.uid}:${PLAIN.gid}`, home]);
  const registry = (await runOrThrow('npm', ['config', 'get', 'registry'])).output.trim().split('\n').at(-1);
  environment = {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_registry: registry,
    npm_config_cache: join(home, '.npm'),
  };
});
afterAll(async () => {
  await paste('npm run stop');
  await rm(home, { recursive: true, force: true });
});

/** Pastes text into a shell: on its standard input, which its commands inherit. */
const paste = async (text) => {
  const shell = spawn('bash', ['--norc'], { cwd: clone, env: environment, stdio: ['pipe', 'pipe', 'pipe'], ...PLAIN });
  const output = [];
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  shell.stdin.end(text);
  await once(shell, 'close');
  return output.join('');
};

it('serves the tour, twice, after `npm start -- --detach`', async () => {
  const readme = await readFile(join(clone, 'README.md'), 'utf8');
  const tour = readme.split('## A tour with curl')[1]?.split('```sh\n')[1]?.split('```')[0] ?? '';
  expect(tour).toContain('. .turnkeeper/env');
  const started = await paste('npm start -- --detach');
  const { receiver } = await choosePorts(['receiver']);
  const commands = tour.replaceAll('9999', String(receiver));
  for (const time of [1, 2]) {
    const output = await paste(commands);
    const said = `paste ${time} after:\n${started}\n${output}`;
    // The receiver has verified the history's signature, and the search has found the fact.
    expect(output, said).toMatch(/^true$/m);
    expect(output, said).toMatch(/moved to Hue/);
    expect(output, said).not.toMatch(/Error|"status":4|"status":5|undefined/);
  }
});
