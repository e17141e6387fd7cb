import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { checkRuntimeHeaders } from './runtime-headers.js';

const USER = 'x-greennode-agentbase-user-id';
const SESSION = 'x-greennode-agentbase-session-id';
const check = (
  parts: {
    headers?: Record<string, string>;
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
  },
  required = false,
): string => {
  try {
    checkRuntimeHeaders({ headers: {}, params: {}, query: {}, ...parts } as unknown as FastifyRequest, required);
    return 'passes';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const both = (user: string, session: string) => ({ [USER]: user, [SESSION]: session });

describe("the runtime's headers", () => {
  it('may be absent, unless the installation wants them', () => {
    const params = { actorId: 'ada', sessionId: 's' };
    expect(check({ params })).toBe('passes');
    expect(check({ params }, true)).toBe('runtime.headers_missing');
    expect(check({ params: { memoryId: 'm' } }, true)).toBe('passes');
  });

  it('come both or not at all, and never empty', () => {
    const params = { actorId: 'ada', sessionId: 's' };
    expect(check({ params, headers: { [USER]: 'ada' } })).toBe('runtime.headers_missing');
    expect(check({ params, headers: { [SESSION]: 's' } })).toBe('runtime.headers_missing');
    expect(check({ params, headers: both('ada', '') })).toBe('runtime.headers_missing');
    expect(check({ params, headers: both('ada', 's') })).toBe('passes');
  });

  it('name whom the path or the query is about', () => {
    expect(check({ params: { actorId: 'eve', sessionId: 's' }, headers: both('ada', 's') })).toBe(
      'runtime.user_differs',
    );
    expect(check({ params: { actorId: 'ada', sessionId: 't' }, headers: both('ada', 's') })).toBe(
      'runtime.user_differs',
    );
    expect(check({ query: { actorId: 'eve', sessionId: 's' }, headers: both('ada', 's') })).toBe(
      'runtime.user_differs',
    );
    const body = { actorId: 'eve', sessionId: 's' };
    expect(check({ body, headers: both('ada', 's') })).toBe('runtime.user_differs');
    expect(check({ body, headers: both('eve', 't') })).toBe('runtime.user_differs');
    expect(check({ body, headers: both('eve', 's') })).toBe('passes');
    expect(check({ params: { actorId: 'ada' }, body, headers: both('ada', 's') })).toBe('runtime.user_differs');
    expect(check({ body }, true)).toBe('runtime.headers_missing');
    for (const other of [null, 'text', [], { actorId: undefined }]) expect(check({ body: other }, true)).toBe('passes');
    expect(check({ params: { actorId: 'ada' }, headers: both('ada', 's') })).toBe('passes');
    expect(check({ params: { memoryId: 'm' }, headers: both('ada', 's') })).toBe('passes');
  });

  it('may be UTF-8', () => {
    const asLatin1 = Buffer.from('Đạt').toString('latin1');
    expect(check({ params: { actorId: 'Đạt' }, headers: both(asLatin1, 's') })).toBe('passes');
  });
});
