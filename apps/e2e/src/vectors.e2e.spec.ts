import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { turn } from './harness/api.js';
import { startService } from './harness/service.js';
import { Stack } from './harness/stack.js';

interface Hit {
  readonly event: { readonly payload: { readonly message: string } };
  readonly explain?: { readonly meaning: number };
}

/** An OpenAI-compatible endpoint whose model knows two topics. */
const startModel = async (): Promise<{ url: string; asked: string[]; server: Server }> => {
  const asked: string[] = [];
  const vectorOf = (text: string) => [/pet|puppy/iu, /kitchen|dishwasher/iu].map((topic) => (topic.test(text) ? 1 : 0));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { input: string[] };
      asked.push(...input);
      const data = input.map((text, index) => ({ index, embedding: [...vectorOf(text), 0, 0, 0, 0, 0, 0.01] }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, server };
};

describe('search with an embeddings endpoint', () => {
  let model: Awaited<ReturnType<typeof startModel>>;
  let stack: Stack;
  const settings = () => ({ EMBEDDINGS_URL: model.url, EMBEDDINGS_MODEL: 'topics', EMBEDDINGS_DIMENSIONS: '8' });

  beforeAll(async () => {
    model = await startModel();
    stack = await Stack.start({ settings: settings() });
  });
  afterAll(async () => {
    await stack?.stop();
    model.server.closeAllConnections();
    model.server.close();
  });

  it('finds a turn by meaning once it is embedded, and includes it in a context block', async () => {
    const { id: memoryId } = await stack.api.createMemory({});
    const session = { memoryId, actorId: 'ada', sessionId: 'monday' };
    for (const text of ['We adopted a puppy.', 'Then the dishwasher broke.']) {
      await stack.api.append(session, turn('user', text));
    }
    const actor = `/memory/memories/${memoryId}/actors/ada`;
    const search = async (): Promise<readonly Hit[]> => {
      const body = { query: 'Any pets?', explain: true };
      const answer = await stack.api.request<readonly Hit[]>('POST', `${actor}/events:search`, { body });
      expect(answer.status).toBe(200);
      return answer.body;
    };
    await eventually(async () => (await search()).length > 0, { withinMs: 60_000, what: 'a hit by meaning' });
    const [hit] = await search();
    expect(hit?.event.payload.message).toBe('We adopted a puppy.');
    expect(hit?.explain?.meaning).toBeGreaterThan(0);
    expect(model.asked).toContain('We adopted a puppy.');
    const context = await stack.api.request<{ text: string }>('POST', `${actor}/context`, {
      body: { query: 'Any pets?' },
    });
    expect(context.body.text).toContain('We adopted a puppy.');
  });

  it('does not start a process if the stored dimensions differ from the model’s', async () => {
    const wrong = startService('ingest', { ...stack.settings, EMBEDDINGS_DIMENSIONS: '16' });
    await expect(wrong).rejects.toThrow('EMBEDDINGS_DIMENSIONS is 16');
  });
});
