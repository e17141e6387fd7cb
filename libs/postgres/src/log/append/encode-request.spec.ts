import { randomUUID } from 'node:crypto';
import { message } from '@turnkeeper/testing';
import { expect, it } from 'vitest';
import { encodeInSlices, encodeRequest } from './encode-request.js';

const requestOf = (events: number, characters: number) => ({
  tenantId: randomUUID(),
  memoryId: randomUUID(),
  actorId: 'ada',
  sessionId: 'call',
  events: Array.from({ length: events }, () => message('x'.repeat(characters))),
});

it('encodes a large request in slices, and a small one at once', () => {
  const slicesOf = (request: ReturnType<typeof requestOf>): number => [...encodeInSlices(request)].length;
  expect(slicesOf(requestOf(1, 100_000))).toBe(0);
  expect(slicesOf(requestOf(50, 2_000))).toBe(0);
  expect(slicesOf(requestOf(1_000, 2_000))).toBe(15);
});

it('encodes the same data in slices as at once', () => {
  const request = requestOf(300, 1_000);
  const { data } = encodeRequest(request);
  expect(JSON.parse(`[${data}]`)).toEqual(request.events.map((event) => event.data));
});
