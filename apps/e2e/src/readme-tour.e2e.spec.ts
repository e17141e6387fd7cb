import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, freePort } from '@turnkeeper/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workspaceRoot } from './harness/workspace.js';
import { Stack } from './harness/stack.js';

interface ReceivedView {
  readonly type: string;
  readonly verified: boolean;
  readonly body: { readonly data: { readonly contents: readonly { readonly content: string }[] } };
}

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start();
});
afterAll(() => stack?.stop());

/** The tour's commands as printed, on a free port. */
const tour = async (port: number): Promise<string> => {
  const readme = await readFile(join(workspaceRoot, 'README.md'), 'utf8');
  const [, commands = ''] = /## A tour with curl[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  return commands.replaceAll('9999', String(port)).replace('. .turnkeeper/env\n', '');
};

/** Pastes text into a shell: on the shell's standard input, which its commands inherit. */
const paste = async (text: string): Promise<string> => {
  const shell = spawn('bash', ['--norc'], {
    cwd: workspaceRoot,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TURNKEEPER_URL: stack.ingests[0]!.url,
      TURNKEEPER_API_KEY: stack.api.apiKey!,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => output.push(String(chunk)));
  shell.stdin.end(text);
  await once(shell, 'close');
  return output.join('');
};

const stopReceiver = async (port: number): Promise<void> => {
  await fetch(`http://127.0.0.1:${port}/control`, { method: 'POST', body: '{"stop":true}' });
  await eventually(() =>
    fetch(`http://127.0.0.1:${port}/received`).then(
      () => false,
      () => true,
    ),
  );
};

it("the README's tour works when pasted as a whole, repeatedly", async () => {
  const port = await freePort();
  const commands = await tour(port);
  try {
    for (const time of [1, 2, 3]) {
      // A new receiver does not know the secrets of the endpoints that earlier pastes created.
      if (time === 3) await stopReceiver(port);
      const output = await paste(commands);
      // The receiver has verified the history's signature, and the search has found the fact.
      expect(output, `paste ${time}:\n${output}`).toMatch(/^true$/m);
      expect(output, `paste ${time}:\n${output}`).toMatch(/moved to Hue/);
      expect(output, `paste ${time}:\n${output}`).not.toMatch(/Error|"status":4|"status":5|undefined/);
    }
    const received = (await (await fetch(`http://127.0.0.1:${port}/received`)).json()) as readonly ReceivedView[];
    expect(received.find(({ verified }) => verified)?.body.data.contents).toMatchObject([
      { content: 'I moved to Hue last month.' },
    ]);
  } finally {
    await stopReceiver(port);
  }
});

it('the commands of docs/start.md work when pasted as a whole', async () => {
  const page = await readFile(join(workspaceRoot, 'docs/start.md'), 'utf8');
  const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
  const output = await paste(commands.replace('npm start -- --detach\n. .turnkeeper/env\n', ''));
  expect(output).toMatch(/lives? in Porto/);
  expect(output).toMatch(/oat milk/);
  expect(output).toMatch(/I moved to Lisbon last week\./);
  expect(output).not.toMatch(/Error|"status":4|"status":5|undefined/);
});
