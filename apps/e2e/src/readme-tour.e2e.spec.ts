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

/** The tour's commands as they are printed, on a port that is free here and without waiting by the clock. */
const tour = async (port: number): Promise<string> => {
  const readme = await readFile(join(workspaceRoot, 'README.md'), 'utf8');
  const [, commands = ''] = /## A tour with curl[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  return commands.replaceAll('9999', String(port)).replace('source .turnkeeper/env', '').replace('sleep 2', '');
};

it("the README's tour ends with a webhook that its receiver has verified", async () => {
  const port = await freePort();
  const shell = spawn('bash', ['-c', await tour(port)], {
    cwd: workspaceRoot,
    env: { PATH: process.env['PATH'], TURNKEEPER_URL: stack.ingests[0]!.url, TURNKEEPER_API_KEY: stack.api.apiKey! },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output: string[] = [];
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => output.push(String(chunk)));
  try {
    await once(shell, 'exit');
    let received: readonly ReceivedView[] = [];
    await eventually(
      async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/received`).catch(() => null);
        received = answer === null ? [] : ((await answer.json()) as readonly ReceivedView[]);
        return received.length > 0;
      },
      { withinMs: 60_000, everyMs: 100, what: () => `a webhook; the tour said:\n${output.join('')}` },
    );
    expect(received[0]).toMatchObject({ type: 'agent.history', verified: true });
    expect(received[0]?.body.data.contents).toMatchObject([{ content: 'I moved to Hue last month.' }]);
    const [memory] = await stack.inspector.rows<{ memory_id: string }>('select memory_id from memories');
    await stack.api.untilExtracted(memory!.memory_id);
    const found = await stack.api.search(memory!.memory_id, '/facts/linh', 'Did she move?');
    expect(found[0]?.memory).toContain('Hue');
  } finally {
    process.kill(-shell.pid!, 'SIGTERM'); // with the receiver, which it left in the background
  }
});
