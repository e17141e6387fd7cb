import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { portOf } from '../shared/ports.mjs';
import { checkModel } from './model-check.mjs';

const servers = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));
const endpoint = async (statuses) => {
  const server = createServer((request, response) => response.writeHead(statuses[request.url ?? ''] ?? 404).end('{}'));
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${portOf(server)}/v1`;
};
const check = (LLM_BASE_URL) => checkModel({ LLM_BASE_URL, LLM_MODEL: 'm', LLM_API_KEY: 'sk-hunter2' });

describe('the model check at startup', () => {
  it('is silent if the endpoint works or none is set', async () => {
    expect(await check(await endpoint({ '/v1/models': 200 }))).toBeUndefined();
    expect(await check(await endpoint({ '/v1/chat/completions': 400 }))).toBeUndefined();
    expect(await check('')).toBeUndefined();
  });

  it.each([
    ['an address where nothing listens', async () => 'http://127.0.0.1:9/v1', /LLM_BASE_URL .*cannot be reached/],
    ['a path that is not served', () => endpoint({}), /404.*usually ends in \/v1/],
    ['a wrong key', () => endpoint({ '/v1/models': 401 }), /Check LLM_API_KEY/],
    ['a server that fails', () => endpoint({ '/v1/models': 502 }), /answers 502/],
    ['no URL', async () => 'llm.local', /must be a URL/],
  ])('names the setting and what to do: %s', async (_, url, said) => {
    const fault = await check(await url());
    expect(fault).toMatch(said);
    expect(fault).not.toContain('hunter2');
  });

  it('requires the name of the model', async () => {
    expect(await checkModel({ LLM_BASE_URL: 'http://127.0.0.1:9' })).toMatch(/LLM_MODEL is required/);
  });
});
