import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { etagOf, sendEtags, versionCheck, VersionDiffers } from './etag.js';

describe('an ETag', () => {
  it('depends on the content, not on the order of its fields', () => {
    expect(etagOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(etagOf({ b: { d: null, c: [1, 2] }, a: 1 }));
    expect(etagOf({ a: [1, 2] })).not.toBe(etagOf({ a: [2, 1] }));
    expect(etagOf({ a: undefined })).toBe(etagOf({}));
  });
});

describe('If-Match', () => {
  const current = { name: 'one' };

  it.each([undefined, '*', ' * ', etagOf(current), `"other", ${etagOf(current)}`])('accepts %s', (header) => {
    expect(() => versionCheck(header)(current)).not.toThrow();
  });

  it.each(['"other"', etagOf({ name: 'two' })])('rejects a change for %s', (header) => {
    expect(() => versionCheck(header)(current)).toThrow(VersionDiffers);
  });

  it.each(['', 'bare', `W/${etagOf(current)}`, '"a",', Array(21).fill('"a"').join()])('rejects %j itself', (header) => {
    expect(() => versionCheck(header)).toThrow(expect.objectContaining({ code: 'payload.invalid' }));
  });
});

describe('a versioned route', () => {
  it('sends its ETag, and 304 to a client that has it', async () => {
    const server = fastify();
    sendEtags(server);
    server.get('/', { config: { spec: { scope: null, versioned: true } } }, async () => ({ name: 'one' }));
    const first = await server.inject({ url: '/' });
    expect([first.statusCode, first.json(), first.headers.etag]).toEqual([
      200,
      { name: 'one' },
      etagOf({ name: 'one' }),
    ]);
    const again = (known: string) => server.inject({ url: '/', headers: { 'if-none-match': known } });
    const same = await again(`"x", W/${first.headers.etag}`);
    expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', first.headers.etag]);
    expect((await again('"x"')).statusCode).toBe(200);
    await server.close();
  });
});
