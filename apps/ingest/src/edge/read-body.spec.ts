import type { FastifyRequest } from 'fastify';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';
import { JSON_LIMITS } from './json-shape.js';
import { BodyReader } from './read-body.js';

const CHUNK_BYTES = 65_536;
const CHUNKS = 8;

/** Counts the chunks that are read between two iterations of the event loop. */
class CountedBudget extends BodyBudget {
  mostAtOnce = 0;
  private atOnce = 0;

  override take(owner: string, bytes: number): ReturnType<BodyBudget['take']> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    return super.take(owner, bytes);
  }

  nextIteration(): void {
    this.atOnce = 0;
  }
}

it('reads one chunk of all large bodies that have arrived, then lets other requests go first', async () => {
  const budget = new CountedBudget(Infinity, Infinity);
  const reader = new BodyReader(budget, { timeoutMs: 60_000, json: JSON_LIMITS });
  const lengths: (number | undefined)[] = [];
  for (let n = 0; n < 16; n += 1) {
    const chunks = Array.from({ length: CHUNKS }, () => Buffer.alloc(CHUNK_BYTES, ' '));
    const source = new Readable({ read: () => undefined, highWaterMark: CHUNKS * CHUNK_BYTES + 1 });
    for (const chunk of [...chunks, null]) source.push(chunk);
    const headers = { 'content-length': String(CHUNKS * CHUNK_BYTES) };
    const request = { headers, routeOptions: {}, raw: { socket: new EventEmitter() }, tenantId: 'large' };
    reader.read(request as unknown as FastifyRequest, source, (error, body) => {
      expect(error).toBeNull();
      lengths.push(body?.bytes);
    });
  }
  while (lengths.length < 16) {
    await new Promise((resolve) => setImmediate(resolve));
    budget.nextIteration();
  }
  expect(lengths).toEqual(Array.from({ length: 16 }, () => CHUNKS * CHUNK_BYTES));
  // Two: the order of immediates within an iteration is not ours.
  expect(budget.mostAtOnce).toBeLessThanOrEqual(2);
});
