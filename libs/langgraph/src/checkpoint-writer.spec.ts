import { Turnkeeper } from '@turnkeeper/client';
import { expect, it } from 'vitest';
import { CheckpointWriter } from './checkpoint-writer.js';

interface Sent {
  readonly path: string;
  readonly operations: number;
}

const writerTo = (answer: (sent: Sent) => Promise<Response> | Response) => {
  const sent: Sent[] = [];
  const fake = async (url: string, init: { body: string }): Promise<Response> => {
    const { operations } = JSON.parse(init.body) as { operations?: unknown[] };
    const request = { path: new URL(url).pathname, operations: operations?.length ?? 1 };
    sent.push(request);
    return answer(request);
  };
  const options = { baseUrl: 'http://server', apiKey: 'key', fetch: fake as unknown as typeof fetch };
  const writer = new CheckpointWriter(new Turnkeeper({ ...options, retry: { maxAttempts: 1 } }), 'm');
  const put = (sessionId: string, size = 4): Promise<void> =>
    writer.write({
      op: 'put',
      path: { memoryId: 'm', actorId: 'ada', sessionId },
      body: {
        checkpointId: '1',
        metadata: { type: 'json', data: '' },
        checkpoint: { type: 'json', data: 'A'.repeat(size) },
      },
    });
  return { put, sent };
};

const stored = (): Response => new Response(null, { status: 204 });
const problem = (status: number): Response => Response.json({ code: 'refused', title: 'Refused' }, { status });
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `s${at}`);
const SINGLE = '/v1/memories/m/actors/ada/sessions/s0/checkpoints';
const BATCH = '/v1/memories/m/checkpoints:batch';

it('sends a single checkpoint on its own, and concurrent ones together', async () => {
  const { put, sent } = writerTo(stored);
  await put('s0');
  await Promise.all(names(70).map((name) => put(name)));
  expect(sent).toEqual([
    { path: SINGLE, operations: 1 },
    ...[32, 32, 6].map((operations) => ({ path: BATCH, operations })),
  ]);
});

it('ends a batch before it grows too large', async () => {
  const { put, sent } = writerTo(stored);
  await Promise.all(names(5).map((name) => put(name, 200_000)));
  expect(sent.map(({ operations }) => operations)).toEqual([2, 2, 1]);
});

it('does not let a request that hangs delay others', async () => {
  let isFirst = true;
  const { put } = writerTo(() => {
    if (!isFirst) return stored();
    isFirst = false;
    return new Promise(() => {});
  });
  const hanging = put('s0');
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([put('s1'), put('s2')]);
  expect(await Promise.race([hanging, Promise.resolve('pending')])).toBe('pending');
});

it('sends the checkpoints of a refused batch one by one, so that one cannot fail the others', async () => {
  const { put, sent } = writerTo(({ path }) => (path === BATCH || path.includes('/s1/') ? problem(400) : stored()));
  const results = await Promise.allSettled(names(3).map((name) => put(name)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await Promise.allSettled(names(2).map((name) => put(name)));
  expect(sent.filter(({ path }) => path === BATCH)).toHaveLength(2);
});

it('does not try batches again with a key that reaches one actor only', async () => {
  const { put, sent } = writerTo(({ path }) => (path === BATCH ? problem(403) : stored()));
  for (let round = 0; round < 3; round += 1) await Promise.all(names(3).map((name) => put(name)));
  expect(sent.filter(({ path }) => path === BATCH)).toHaveLength(1);
});

it('fails a batch as a whole when the server is away', async () => {
  const { put, sent } = writerTo(() => problem(503));
  const results = await Promise.allSettled(names(3).map((name) => put(name)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(sent).toHaveLength(1);
});
