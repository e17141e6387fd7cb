import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventsPath } from './harness/api.js';
import { cliOutput } from './harness/child-process.js';
import { startReceiver, type Receiver } from './harness/receiver.js';
import { Stack } from './harness/stack.js';
import { contentsOf } from './harness/traces.js';
import { workspaceRoot } from './harness/workspace.js';

/** Beyond 2^53, where JavaScript rounds. */
const ODD = '9007199254740993';
const LONG = '-8823141512340984513';
const NUMBERS = `{"odd":${ODD},"list":[${LONG}],"text":"${ODD}"}`;

let stack: Stack;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  stack = await Stack.start({ settings: { STREAM_CONTENT: 'full' } });
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.close();
});

const post = async (path: string, raw: string): Promise<{ id: string }> => {
  const { status, body } = await stack.api.request<{ id: string }>('POST', path, { raw });
  expect(status).toBeLessThan(300);
  return body;
};

it('integers beyond 2^53 are what they were in webhooks, the content stream and a rebuild', async () => {
  const { id: memoryId } = await stack.api.createMemory({});
  await stack.api.createEndpoint(receiver.url);
  const session = { memoryId, actorId: 'ada', sessionId: 'call' };
  const { actorId, sessionId } = session;
  const agent = await post(
    '/v1/agents',
    `{"memoryId":"${memoryId}","actorId":"${actorId}","sessionId":"${sessionId}","name":"desk","params":${NUMBERS},"labels":${NUMBERS}}`,
  );
  const payload = '{"type":"CONVERSATIONAL","role":"user","message":"hi"}';
  await post(eventsPath(session), `{"payload":${payload},"metadata":${NUMBERS}}`);
  await stack.api.stopAgent(agent.id);
  const history = () =>
    receiver.received.map(({ raw }) => raw.toString('utf8')).find((body) => body.includes('"agent.history"'));
  await eventually(() => history() !== undefined, { what: 'the history is delivered', everyMs: 50 });
  expect(history()).toContain(`"metadata":${NUMBERS}`);
  expect(history()).toContain(`"labels":${NUMBERS}`);

  const published = () => contentsOf(stack);
  await eventually(async () => (await published()).some((text) => text.includes('"metadata"')), { everyMs: 100 });
  expect((await published()).find((text) => text.includes('"metadata"'))).toContain(`"metadata":${NUMBERS}`);

  const { databaseUrl } = stack.inspector;
  await cliOutput(['rebuild', '--check'], databaseUrl);
  await cliOutput(['rebuild'], databaseUrl);
  const rows = await stack.inspector.rows<{ params: string }>('select params::text from agents');
  expect(rows).toEqual([{ params: NUMBERS }]);
});

it('a replayed file is read back with every digit', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-'));
  try {
    const file = join(folder, 'turns.jsonl');
    await writeFile(
      file,
      ['user', 'assistant']
        .map((role) => `{"actorId":"ada","sessionId":"s","role":"${role}","message":"hi","metadata":${NUMBERS}}\n`)
        .join(''),
    );
    const script = join(workspaceRoot, 'tools/replay/replay.mjs');
    const child = spawn(process.execPath, [script, file, '--url', stack.api.url, '--key', stack.api.apiKey ?? ''], {
      cwd: workspaceRoot,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code, output).toBe(0);
    expect(output).toMatch(/read back equal\s+2/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
