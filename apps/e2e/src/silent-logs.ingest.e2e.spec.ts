import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn } from './harness/api.js';
import { scanOutput, takeLeaks } from './harness/planted-markers.js';
import { Stack } from './harness/stack.js';

const CONTENT = 'My door code is hunter2-4711, tell nobody else.';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the log of a failing ingest', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ worker: false, settings: { LOG_LEVEL: 'debug' } });
  });
  afterAll(() => stack?.stop());

  it('reports what failed, and nothing of the content', async () => {
    const memory = await stack.api.createMemory({ longTermMemoryStrategies: [{ name: 'facts', type: 'SEMANTIC' }] });
    const session = { memoryId: memory.id, actorId: 'ada', sessionId: 'monday' };
    // A database damaged by a wrong migration: each statement fails with its parameters in the error.
    for (const table of ['webhook_endpoints', 'records', 'events']) {
      await stack.inspector.rows(`alter table ${table} rename to ${table}_gone`);
    }
    const answers = await Promise.all([
      stack.api.request('POST', '/v1/webhook-endpoints', { body: { url: 'http://127.0.0.1:9999/', secret: SECRET } }),
      stack.api.request('POST', `/memory/memories/${memory.id}/memory-records:search?namespace=x`, {
        body: { query: CONTENT },
      }),
      stack.api.request('POST', `/memory/memories/${memory.id}/memory-records:insert-directly?namespace=x`, {
        body: { memoryRecords: [CONTENT] },
      }),
      stack.api.request('POST', `/memory/memories/${memory.id}/actors/${session.actorId}/sessions/x/events`, {
        body: turn('user', CONTENT),
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    const [ingest] = stack.ingests;
    expect(ingest!.output()).toContain('request.failed');
    expect(ingest!.output()).toContain('42P01');
    expect(ingest!.output()).not.toContain('hunter2');
    expect(ingest!.output()).not.toContain(SECRET.slice(6));
    expect(JSON.stringify(answers)).not.toContain('hunter2');
  });
});

describe('the search for leaks', () => {
  it('finds what was planted, and secrets by their pattern', () => {
    scanOutput('a process', `{"msg":"fine"}\n{"sql":"${SECRET}"}\n{"url":"postgres://app:hunter2@db/x"}`);
    expect(takeLeaks().join(' ')).toMatch(/whsec_.*postgres|hunter2/);
    scanOutput('a process', '{"url":"postgres://db:5432/x","level":"info"}');
    expect(takeLeaks()).toEqual([]);
  });
});
