import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { Followed } from '@turnkeeper/application';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { TooManyStreams, Unauthenticated } from '../auth/auth-errors.js';
import { InFlight } from '../limits/in-flight.js';
import { EventStreams } from './event-streams.js';

interface World {
  readonly most?: number;
  readonly stillAllowed?: () => Promise<void>;
}

const world = ({ most = 1, stillAllowed = async () => undefined }: World = {}) => {
  let nowMs = 0;
  const warnings: unknown[] = [];
  const slots = new InFlight(
    () => most,
    () => new TooManyStreams(),
  );
  const streams = new EventStreams({
    slots,
    stillAllowed,
    logger: { warn: (...line: unknown[]) => void warnings.push(line) },
    monotonicMs: () => nowMs,
  });
  const open = (follow: (signal: AbortSignal) => AsyncIterable<Followed<number>>) => {
    const raw = new EventEmitter();
    const request = { tenantId: 'acme', id: 'r', headers: {} } as unknown as FastifyRequest;
    const file = streams.open(request, { raw, header: () => undefined } as unknown as FastifyReply, follow, (id) => ({
      id,
      data: { id },
    }));
    const body = file.getStream() as Readable;
    return { body, disconnect: () => raw.emit('close'), text: async () => (await body.toArray()).join('') };
  };
  return { streams, slots, open, warnings, later: (ms: number) => (nowMs += ms) };
};

async function* items(...given: Followed<number>[]): AsyncGenerator<Followed<number>> {
  yield* given;
}

/** Follows nothing until the stream is closed. */
async function* nothing(signal: AbortSignal): AsyncGenerator<Followed<number>> {
  if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  yield* [];
}

describe('EventStreams', () => {
  it('sends events with their ids, and comments when there is nothing new', async () => {
    const { open } = world();
    expect(await open(() => items(7, 8, 'up to date')).text()).toBe(
      'retry: 1000\n\nid: 7\ndata: {"id":7}\n\nid: 8\ndata: {"id":8}\n\n: up to date\n\n',
    );
  });

  it('limits the open streams of a tenant, until a client has disconnected', async () => {
    const { open, slots } = world();
    const first = open(nothing);
    expect(() => open(nothing)).toThrow(TooManyStreams);
    first.disconnect();
    expect(slots.of('acme')).toBe(0);
    // It stops following.
    await expect(first.text()).resolves.toBe('retry: 1000\n\n');
    open(nothing).disconnect();
  });

  it('ends all streams when the server stops, and those that are opened then', async () => {
    const { open, streams } = world({ most: 2 });
    const first = open(nothing);
    streams.closeAll();
    await expect(first.text()).resolves.toBe('retry: 1000\n\n');
    await expect(open(nothing).text()).resolves.toBe('retry: 1000\n\n');
  });

  it('ends when its caller may no longer read, checked while events arrive', async () => {
    const { open, later, warnings } = world({ stillAllowed: () => Promise.reject(new Unauthenticated()) });
    const text = open(async function* () {
      yield 1;
      later(14_999);
      yield 2;
      later(1);
      yield 3;
      yield 4;
    }).text();
    expect(await text).toBe('retry: 1000\n\nid: 1\ndata: {"id":1}\n\nid: 2\ndata: {"id":2}\n\n');
    expect(warnings).toHaveLength(1);
  });

  it('ends when reading fails', async () => {
    const { open, warnings } = world();
    const text = open(async function* () {
      yield 1;
      throw new Error('no database');
    }).text();
    expect(await text).toBe('retry: 1000\n\nid: 1\ndata: {"id":1}\n\n');
    expect(warnings).toHaveLength(1);
  });
});
