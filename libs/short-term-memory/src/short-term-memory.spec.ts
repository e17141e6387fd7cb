import { shortTermMemoryLaws } from '@turnkeeper/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ShortTermMemory } from './index.js';

shortTermMemoryLaws('A memory in this process', async () => new ShortTermMemory(':memory:'));

describe('an in-process memory', () => {
  it('stores a copy of what it is given', async () => {
    const memory = new ShortTermMemory(':memory:');
    const metadata = { tags: ['a'] };
    await memory.addMemory('s', 'user', 'hi', metadata);
    metadata.tags.push('b');
    const [message] = await memory.getContext('s');
    expect(message!.metadata).toEqual({ tags: ['a'] });
  });
});

describe('a memory over HTTP', () => {
  it.each([
    [404, '{"code":"memory.not_found","title":"There is no such memory."}', 'memory.not_found'],
    [502, '<html>bad gateway</html>', 'server.unknown'],
  ])('reports a rejection with status %i', async (status, body, code) => {
    const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const memory = new ShortTermMemory({ url, apiKey: 'k', memoryId: 'm', actorId: 'a' });
    await expect(memory.getContext('s')).rejects.toMatchObject({ status, code });
    server.close();
  });
});
