import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResolver, type Resolve } from './resolver.js';

const A = 1;
const AAAA = 28;
const RECORDS: Readonly<Record<string, Readonly<Record<number, readonly number[][]>>>> = {
  'both.example': { [A]: [[192, 0, 2, 1]], [AAAA]: [[0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] },
  'four.example': {
    [A]: [
      [192, 0, 2, 1],
      [192, 0, 2, 2],
    ],
  },
};

/**
 * A minimal name server: answers with the records above, with NXDOMAIN otherwise, and not at all for `silent.example`.
 */
const server = createSocket('udp4');
let resolve: Resolve;
let asked: string[] = [];
server.on('message', (query, from) => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.');
  const type = query.readUInt16BE(at + 1);
  asked.push(name);
  if (name === 'silent.example') return;
  const answers = RECORDS[name]?.[type] ?? [];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(RECORDS[name] === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt16BE(0, 10);
  const records = answers.map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, bytes.length, ...bytes]));
  server.send(Buffer.concat([header, query.subarray(12, at + 5), ...records]), from.port, from.address);
});

beforeAll(async () => {
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
  resolve = createResolver({ servers: [`127.0.0.1:${server.address().port}`] });
});
afterAll(() => new Promise<void>((done) => server.close(done)));

describe('createResolver', () => {
  it('returns all addresses of both families', async () => {
    expect(await resolve('both.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
    expect(await resolve('four.example')).toHaveLength(2);
  });

  it('does not cache, so that the guard sees changed answers', async () => {
    asked = [];
    await resolve('four.example');
    await resolve('four.example');
    expect(asked.filter((name) => name === 'four.example').length).toBeGreaterThanOrEqual(2);
  });

  it('rejects for an unknown name', async () => {
    await expect(resolve('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('resolves localhost to this machine without a DNS query', async () => {
    asked = [];
    for (const name of ['localhost', 'localhost.', 'a.localhost']) {
      expect((await resolve(name)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
    }
    expect(asked).toEqual([]);
  });

  it('is not blocked by names whose server never answers', async () => {
    const silent = Array.from({ length: 20 }, () => resolve('silent.example').catch(() => 'silent'));
    await resolve('both.example');
    expect(await Promise.race([...silent, Promise.resolve('still waiting')])).toBe('still waiting');
  });
});
