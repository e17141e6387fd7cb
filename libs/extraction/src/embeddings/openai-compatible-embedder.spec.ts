import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDER_DEFAULTS, OpenAiCompatibleEmbedder, type EmbedderConfig } from './openai-compatible-embedder.js';

interface Asked {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}
interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A two-dimensional vector that contains the length of the text. */
const vectorOf = (text: string): number[] => [text.length, 0.5];
const honest = ({ body }: Asked): Given => ({
  body: { data: body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })) },
});

describe('embeddings from an OpenAI-compatible endpoint', () => {
  const asked: Asked[] = [];
  const pauses: number[] = [];
  let script: ((asked: Asked) => Given)[] = [];
  let server: Server;
  let baseUrl: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const one: Asked = {
          path: request.url,
          authorization: request.headers.authorization,
          body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Asked['body'],
        };
        asked.push(one);
        const { status = 200, headers = {}, body } = (script.length > 1 ? script.shift()! : script[0]!)(one);
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    asked.length = 0;
    pauses.length = 0;
    script = [honest];
  });

  const embedder = (config: Partial<EmbedderConfig> = {}) =>
    new OpenAiCompatibleEmbedder(
      { ...EMBEDDER_DEFAULTS, baseUrl, model: 'embed-1', apiKey: 'secret', dimensions: 2, ...config },
      async (ms) => void pauses.push(ms),
    );
  const embed = (texts: readonly string[], config: Partial<EmbedderConfig> = {}) =>
    embedder(config).embed(texts, new AbortController().signal);

  it('returns one vector per text, in order, in batches', async () => {
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
    expect(await embed(texts, { batchSize: 2 })).toEqual(texts.map(vectorOf));
    expect(asked.map(({ body }) => body.input)).toEqual([['a', 'bb'], ['ccc', 'dddd'], ['eeeee']]);
    expect(asked[0]).toMatchObject({
      path: '/v1/embeddings',
      authorization: 'Bearer secret',
      body: { model: 'embed-1' },
    });
  });

  it('sends no request for an empty list', async () => {
    expect(await embed([])).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('orders by index, not by position in the answer', async () => {
    script = [(one) => ({ body: { data: [...(honest(one).body as { data: unknown[] }).data].reverse() } })];
    expect(await embed(['a', 'bb'])).toEqual([vectorOf('a'), vectorOf('bb')]);
  });

  it.each([429, 503, 500])('retries after %i, and respects Retry-After', async (status) => {
    script = [() => ({ status, headers: { 'retry-after': '7' }, body: {} }), () => ({ status, body: {} }), honest];
    expect(await embed(['a'])).toEqual([vectorOf('a')]);
    expect(pauses).toEqual([7_000, 1_000]);
  });

  it.each([
    [429, 'model.rate_limited', 4],
    [502, 'model.unavailable', 4],
    [401, 'model.unauthorized', 1],
    [404, 'model.request_rejected', 1],
  ])('gives up on %i with %s after %i attempts', async (status, code, tries) => {
    script = [() => ({ status, body: {} })];
    await expect(embed(['a'])).rejects.toMatchObject({ name: 'EmbeddingFailed', code });
    expect(asked).toHaveLength(tries);
  });

  it('rejects vectors of another length, which are not comparable with stored ones', async () => {
    await expect(embed(['a'], { dimensions: 3 })).rejects.toMatchObject({ code: 'model.wrong_dimensions' });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['no JSON', 'oops'],
    ['null', 'null'],
    ['another shape', { vectors: [] }],
    ['a text too few', { data: [] }],
    ['a text too many', { data: [0, 1].map((index) => ({ index, embedding: [1, 2] })) }],
    ['the same text twice', { data: [0, 0].map((index) => ({ index, embedding: [1, 2] })) }],
    ['no numbers', { data: [{ index: 0, embedding: ['1', '2'] }] }],
    ['holes', { data: [{ index: 0, embedding: [1, null] }] }],
    ['base64', { data: [{ index: 0, embedding: 'AACAPw==' }] }],
  ])('rejects an answer with %s', async (_, body) => {
    script = [() => ({ body })];
    await expect(embed(['a'])).rejects.toMatchObject({ code: 'model.unreadable_answer' });
  });

  it('stops when the caller aborts', async () => {
    const reason = new Error('shutdown');
    await expect(embedder().embed(['a'], AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('reports a closed port', async () => {
    await expect(embed(['a'], { baseUrl: 'http://127.0.0.1:9/v1', maxTries: 2 })).rejects.toMatchObject({
      code: 'model.unreachable',
    });
    expect(pauses).toEqual([500]);
  });
});
