import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { Followed } from '@turnkeeper/application';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { TooManyStreams } from '../auth/auth-errors.js';
import { InFlight } from '../limits/in-flight.js';
import { EventStreams } from './event-streams.js';

interface World {
  readonly most?: number;
  readonly stillAllowed?: () => Promise<boolean>;
}

const world = ({ most = 1, stillAllowed = async () => true }: World = {}) => {
  const checks = new Set<() => void>();
  const warnings: unknown[] = [];
  const slots = new InFlight(
    () => most,
    () => new TooManyStreams(),
  );
  const streams = new EventStreams({
    slots,
    stillAllowed,
    logger: { warn: (...line: unknown[]) => void warnings.push(line) },
    every: (_, work) => {
      checks.add(work);
      return () => void checks.delete(work);
    },
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
  const check = async (): Promise<void> => {
    for (const work of checks) work();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { streams, slots, open, warnings, checks, check };
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

  it('ends when its caller may no longer read, even if nothing arrives', async () => {
    let isAllowed = true;
    const { open, check, checks, warnings } = world({ stillAllowed: async () => isAllowed });
    const { text, disconnect } = open(async function* (signal) {
      yield 1;
      yield* nothing(signal);
      yield 2;
    });
    const sent = text();
    await check();
    expect(warnings).toEqual([]);
    isAllowed = false;
    await check();
    expect(await sent).toBe('retry: 1000\n\nid: 1\ndata: {"id":1}\n\n');
    expect(warnings).toHaveLength(1);
    disconnect();
    expect(checks.size).toBe(0);
  });

  it('goes on while it is unknown whether its caller may read', async () => {
    const { open, check } = world({ stillAllowed: () => Promise.reject(new Error('no database')) });
    let more = (): void => undefined;
    const { text } = open(async function* () {
      await new Promise<void>((resolve) => (more = resolve));
      yield 1;
    });
    const sent = text();
    await check();
    more();
    expect(await sent).toContain('id: 1');
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
