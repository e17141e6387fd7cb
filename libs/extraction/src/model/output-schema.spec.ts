import { askAndRead, type ExtractionInput } from '@turnkeeper/application';
import { admit, type OutputSchema } from '@turnkeeper/domain';
import { startModelServer, type ModelServer } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promptHash } from './chat-request.js';
import { MODEL_DEFAULTS, type ModelConfig } from './model-config.js';
import { OpenAiCompatibleExtractor } from './openai-compatible-extractor.js';
import { secrets } from '../secrets/secrets.js';

const SAID = 'Two litres of cream and a crate of lemons, please. My card is 4111 1111 1111 1111.';
const outputSchema: OutputSchema = {
  type: 'object',
  required: ['article'],
  properties: { article: { type: 'string' }, amount: { type: 'integer' }, card: { type: 'string' } },
};
const INPUT: ExtractionInput = {
  tenantId: 't',
  strategyType: 'CUSTOM',
  strategyVersion: 1,
  customPrompt: 'Write down each article that is ordered.',
  outputSchema,
  context: [],
  messages: [
    {
      eventId: 'e1',
      sequence: 1,
      role: 'user',
      speaker: null,
      content: SAID,
      at: '2026-03-02T10:00:00Z',
      source: null,
    },
  ],
};

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const fact = (text: string, quote: string, data: unknown) => ({ text, sources: [{ event: 'm1', quote }], data });
const ask = (facts: readonly object[], input: ExtractionInput = INPUT, jsonMode: ModelConfig['jsonMode'] = 'auto') => {
  server.behave((_, reply) => reply.completion(JSON.stringify({ facts })));
  const config = { ...MODEL_DEFAULTS, baseUrl: server.url, model: 'stub', apiKey: null, jsonMode };
  return askAndRead(new OpenAiCompatibleExtractor(config), input, new AbortController().signal);
};
const CREAM = fact('User ordered 2 litres of cream.', 'Two litres of cream', {
  article: 'cream',
  amount: 2,
  card: null,
});

describe('the output schema of a CUSTOM strategy', () => {
  it('is part of the format that the endpoint is asked for, and of the prompt', async () => {
    await ask([]);
    const { body, system } = server.requests.at(-1)!;
    const format = body['response_format'] as { json_schema: { schema: { properties: { facts: { items: object } } } } };
    expect(format.json_schema.schema.properties.facts.items).toMatchObject({
      required: expect.arrayContaining(['text', 'data']),
      properties: { data: { additionalProperties: false, required: ['article', 'amount', 'card'] } },
    });
    expect(system).toContain('<operator>\nWrite down each article that is ordered.\n</operator>');
    expect(system).toContain('"data"');
  });

  it('is told in words to an endpoint without schemas', async () => {
    await ask([], INPUT, 'prompt');
    expect(server.requests.at(-1)?.system).toContain(JSON.stringify(outputSchema));
  });

  it('gives each record data that fits it; facts with other data are left out and counted', async () => {
    const { candidates, skipped } = await ask([
      CREAM,
      fact('User ordered a crate of lemons.', 'a crate of lemons', { article: 'lemons', amount: 'one crate' }),
      fact('User ordered lemons.', 'lemons', undefined),
    ]);
    expect(candidates.map(({ data }) => data)).toEqual([{ article: 'cream', amount: 2 }]);
    expect(skipped).toEqual({ malformed: 2 });
    const admission = admit({
      candidates,
      window: INPUT.messages,
      known: [],
      namespace: '/n',
      newId: () => 'r',
      secrets,
    });
    expect(admission.records).toMatchObject([{ text: CREAM.text, data: { article: 'cream', amount: 2 } }]);
  });

  it('cannot carry a secret into a record', async () => {
    const data = { article: 'cream', card: '4111 1111 1111 1111' };
    const { candidates } = await ask([fact('User ordered cream.', 'Two litres of cream', data)]);
    const { records, refused } = admit({
      candidates,
      window: INPUT.messages,
      known: [],
      namespace: '/n',
      newId: () => 'r',
      secrets,
    });
    expect(records).toEqual([]);
    expect(refused).toEqual([{ text: '', reason: 'secret' }]);
  });

  it('changes the hash of the prompt; without one, data is ignored', async () => {
    const { outputSchema: _, ...plain } = INPUT;
    expect(promptHash(INPUT)).not.toBe(promptHash(plain));
    expect(promptHash({ ...plain, outputSchema: null })).toBe(promptHash(plain));
    const { candidates } = await ask([CREAM], plain);
    expect(candidates.map(({ data }) => data)).toEqual([undefined]);
  });
});
