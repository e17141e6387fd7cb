import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually, startModelServer, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workspaceRoot } from './harness/workspace.js';
import { Stack } from './harness/stack.js';

/** Of the sample. */
const QUOTE = "I'm allergic to peanuts.";

let model: ModelServer;
let stack: Stack;
let release = (): void => undefined;
beforeAll(async () => {
  model = await startModelServer();
  const released = new Promise<void>((resolve) => (release = resolve));
  model.behave(async ({ messages }, reply) => {
    await released;
    const facts = messages
      .filter(({ text }) => text.includes(QUOTE))
      .map(({ id }) => ({ text: 'User is allergic to peanuts.', sources: [{ event: id, quote: QUOTE }] }));
    reply.completion(JSON.stringify({ facts }));
  });
  stack = await Stack.start({
    settings: { LLM_BASE_URL: model.url, LLM_MODEL: 'slow' },
  });
});
afterAll(async () => {
  release();
  await stack?.stop();
  await model?.close();
});

it('the sample of npm start does not wait for a slow model, and shows the records when they come', async () => {
  const show = `
    const { showSample } = await import(${JSON.stringify(join(workspaceRoot, 'tools/dev/show-sample.mjs'))});
    const access = { url: process.env.TURNKEEPER_URL, key: process.env.TURNKEEPER_API_KEY };
    const showLate = await showSample(access, { model: true });
    console.log('The start is complete.');
    await showLate?.();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', show], {
    cwd: workspaceRoot,
    env: {
      PATH: process.env['PATH'],
      TURNKEEPER_URL: stack.ingests[0]!.url,
      TURNKEEPER_API_KEY: stack.api.apiKey!,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const closed = once(child, 'close');
  const shows = (text: string, withinMs: number) =>
    eventually(() => output.includes(text), { withinMs, what: () => `${text} in:\n${output}` });

  await shows('The start is complete.', 120_000);
  expect(output).toContain('the model is slow');
  expect(output).toContain('signature verified');
  expect(output).not.toMatch(/\d extracted/);
  release();
  await shows('extracted, each with the turn it came from', 60_000);
  expect((await closed)[0]).toBe(0);
  expect(output.split('The start is complete.')[1]).toMatch(/from turn \d+ \(user\)/);
}, 240_000);
