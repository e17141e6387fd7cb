import { shortTermMemoryLaws } from '@turnkeeper/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { InvalidArgument, ShortTermMemory, type JsonValue, type Metadata } from './index.js';

shortTermMemoryLaws('A memory in this process', async () => new ShortTermMemory(':memory:'));

describe('an in-process memory', () => {
  it('tells halves of surrogate pairs apart', async () => {
    const memory = new ShortTermMemory(':memory:');
    await memory.addMemory('s', 'user', 'a\ud83e');
    await memory.addMemory('s', 'assistant', 'A.');
    expect(await memory.getExactMatchAnswer('a\ud83e')).toBe('A.');
    for (const query of ['a\ud83d', 'a\ufffd']) expect(await memory.getExactMatchAnswer(query)).toBeNull();
  });

  it('stores a copy of what it is given', async () => {
    const memory = new ShortTermMemory(':memory:');
    const metadata = { tags: ['a'] };
    await memory.addMemory('s', 'user', 'hi', metadata);
    metadata.tags.push('b');
    const [message] = await memory.getContext('s');
    expect(message!.metadata).toEqual({ tags: ['a'] });
  });
});

describe('arguments', () => {
  const deep = (levels: number): JsonValue => (levels === 0 ? 1 : { inner: deep(levels - 1) });
  const cyclic: { [key: string]: JsonValue } = {};
  cyclic['self'] = cyclic;
  // The same rules as a server's, which the laws check on one.
  it.each<[string, string, string, Metadata | null]>([
    ['role', '', 'hi', null],
    ['role', 'r'.repeat(65), 'hi', null],
    ['content', 'user', 'x'.repeat(100_001), null],
    ['content', 'user', 'a\0b', null],
    ['metadata', 'user', 'hi', deep(17) as Metadata],
    ['metadata', 'user', 'hi', { 'a\0': 1 }],
    ['metadata', 'user', 'hi', cyclic],
    ['metadata', 'user', 'hi', [] as unknown as Metadata],
    ['metadata.source', 'user', 'hi', { source: 'llm' }],
  ])('are rejected with the field %s', async (field, role, content, metadata) => {
    const memory = new ShortTermMemory(':memory:');
    const error: unknown = await memory.addMemory('s', role, content, metadata).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(InvalidArgument);
    expect(error).toMatchObject({ field });
    expect(await memory.getContext('s')).toEqual([]);
  });

  it.each(['a\nb', 'a\0', '\ud83d'])('cannot be the session id %j', async (sessionId) => {
    await expect(new ShortTermMemory(':memory:').clearSession(sessionId)).rejects.toMatchObject({ field: 'sessionId' });
  });

  it('may be at the limit', async () => {
    const memory = new ShortTermMemory(':memory:');
    await memory.addMemory('s'.repeat(255), 'r'.repeat(64), 'x'.repeat(100_000), deep(16) as Metadata);
    await memory.addMemory('s', 'user', '');
    expect(await memory.formatAsString('s')).toBe('USER: ');
  });
});

describe('a memory over HTTP', () => {
  it.each([
    [404, '{"code":"memory.not_found","title":"There is no such memory."}', 'memory.not_found'],
    [403, '<html>not here</html>', 'server.unknown'],
  ])('reports a rejection with status %i', async (status, body, code) => {
    const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const memory = new ShortTermMemory({ baseUrl: url, apiKey: 'k', memoryId: 'm', actorId: 'a' });
    await expect(memory.getContext('s')).rejects.toMatchObject({ status, code });
    server.close();
  });
});
