import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Drain } from './drain.js';

const shutdown = (workLeftMs: number, signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM') => ({
  signal,
  workLeftMs: () => workLeftMs,
});

describe('draining a server', () => {
  let server: FastifyInstance;
  let drain: Drain;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    server = fastify();
    drain = new Drain(server, 5_000);
    server.get('/', () => 'served');
  });
  afterEach(async () => {
    vi.useRealTimers();
    await server.close();
  });

  const ended = async (draining: Promise<void>, ms: number): Promise<boolean> => {
    let done = false;
    void draining.then(() => (done = true));
    await vi.advanceTimersByTimeAsync(ms);
    return done;
  };

  it('keeps serving and tells clients to close their connections', async () => {
    expect((await server.inject('/')).headers.connection).toBe('keep-alive');
    const draining = drain.run(shutdown(60_000));
    expect(drain.isStopping).toBe(true);
    const answer = await server.inject('/');
    expect([answer.statusCode, answer.body, answer.headers.connection]).toEqual([200, 'served', 'close']);
    expect(await ended(draining, 4_999)).toBe(false);
    expect(await ended(draining, 1)).toBe(true);
  });

  it('leaves time for the requests still running when it ends', async () => {
    const draining = drain.run(shutdown(1_000));
    expect(await ended(draining, 599)).toBe(false);
    expect(await ended(draining, 1)).toBe(true);
  });

  it('does not delay a stop from a terminal', async () => {
    expect(await ended(drain.run(shutdown(60_000, 'SIGINT')), 0)).toBe(true);
  });
});
