import type { AppendRequest } from '@turnkeeper/application';
import { creation, message, messages } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { encodeRequest } from './encode-request.js';
import { WaitingRequests } from './waiting-requests.js';

const scope = { tenantId: message().eventId, memoryId: message().eventId, actorId: 'ada' };
const inSession = (sessionId: string, more: Partial<AppendRequest> = {}): AppendRequest => ({
  ...scope,
  sessionId,
  events: [message()],
  ...more,
});

/** Queues the requests and takes batches until the queue is empty. Returns the request numbers of each batch. */
const batchesOf = (requests: readonly AppendRequest[], maxEvents = 100, maxBytes = 1_000_000): number[][] => {
  const waiting = new WaitingRequests();
  const ignore = (): void => undefined;
  for (const request of requests) {
    waiting.push({ ...encodeRequest(request), resolve: ignore, reject: ignore });
  }
  const batches: number[][] = [];
  while (waiting.waitingEvents > 0) {
    batches.push(waiting.takeBatch(maxEvents, maxBytes).map(({ request }) => requests.indexOf(request)));
  }
  return batches;
};

describe('waiting requests', () => {
  it('share a batch, including requests of one session', () => {
    expect(batchesOf([inSession('a'), inSession('b'), inSession('a'), inSession('c')])).toEqual([[0, 1, 2, 3]]);
  });

  it('fill a batch up to its event limit; a larger request goes alone', () => {
    const sizes = [4, 5, 3, 30, 1];
    const requests = sizes.map((size, index) => inSession(`session ${index}`, { events: messages(size) }));
    expect(batchesOf(requests, 10)).toEqual([[0, 1], [2], [3], [4]]);
  });

  it('fill a batch up to its byte limit; a larger request goes alone', () => {
    const sizes = [400, 500, 300, 3_000, 100];
    const requests = sizes.map((size, index) => inSession(`session ${index}`, { events: [message('x'.repeat(size))] }));
    expect(batchesOf(requests, 100, 1_200)).toEqual([[0, 1], [2], [3], [4]]);
    const waiting = new WaitingRequests();
    for (const request of requests) {
      waiting.push({ ...encodeRequest(request), resolve: () => undefined, reject: () => undefined });
    }
    expect(waiting.waitingBytes).toBeGreaterThan(4_300);
    while (waiting.waitingEvents > 0) waiting.takeBatch(2);
    expect(waiting.waitingBytes).toBe(0);
  });

  it('wait for the next batch if they expect a sequence of a session in this one', () => {
    const expecting = inSession('a', { expectedSequence: 1 });
    expect(batchesOf([inSession('a'), expecting, inSession('b')])).toEqual([[0, 2], [1]]);
    expect(batchesOf([expecting, inSession('a'), inSession('b')])).toEqual([[0, 2], [1]]);
    expect(batchesOf([expecting, inSession('b', { expectedSequence: 1 })])).toEqual([[0, 1]]);
  });

  it('never overtake a delayed request of their own session', () => {
    const expecting = inSession('a', { expectedSequence: 1 });
    expect(batchesOf([inSession('a'), expecting, inSession('a'), inSession('b')])).toEqual([[0, 3], [1], [2]]);
  });

  it('never share a batch with the same event id', () => {
    const events = messages(2);
    const other = inSession('b', { events: [message(), events[1]!] });
    expect(batchesOf([inSession('a', { events }), inSession('a', { events }), other])).toEqual([[0], [1], [2]]);
  });

  it('keep two creations of one memory in separate batches', () => {
    const first = creation(scope.tenantId, scope.memoryId);
    const second = creation(scope.tenantId, scope.memoryId);
    expect(batchesOf([first, second, creation()])).toEqual([[0, 2], [1]]);
  });

  describe('of several tenants', () => {
    const otherScope = { ...scope, tenantId: message().eventId, memoryId: message().eventId };
    const thirdScope = { ...scope, tenantId: message().eventId, memoryId: message().eventId };

    it('wait for at most one large request of another tenant, however many of them are queued before', () => {
      const large = Array.from({ length: 4 }, (_, index) => inSession(`large ${index}`, { events: messages(100) }));
      const small = Array.from({ length: 3 }, (_, index) => inSession(`small ${index}`, otherScope));
      expect(batchesOf([...large, ...small], 100)).toEqual([[0], [4, 5, 6], [1], [2], [3]]);
    });

    it('take turns by their bytes, so that a large message is like many small ones', () => {
      const large = Array.from({ length: 3 }, (_, index) =>
        inSession(`large ${index}`, { events: [message('x'.repeat(4_000))] }),
      );
      const small = Array.from({ length: 8 }, (_, index) => inSession(`small ${index}`, otherScope));
      const batches = batchesOf([...large, ...small], 2);
      const at = (request: number): number => batches.findIndex((batch) => batch.includes(request));
      // A message of 4 kB is stored with three small ones, not before all of them.
      expect(at(1)).toBeGreaterThan(at(4));
      expect(at(1)).toBeLessThan(at(10));
    });

    it('are not starved: a large request has its turn while others keep sending small ones', () => {
      const waiting = new WaitingRequests();
      const push = (request: AppendRequest): void =>
        waiting.push({ ...encodeRequest(request), resolve: () => undefined, reject: () => undefined });
      const sizes: number[] = [];
      push(inSession('large', { events: messages(50) }));
      push(inSession('large', { events: messages(50) }));
      for (let batch = 0; batch < 60; batch += 1) {
        push(inSession('small', otherScope));
        push(inSession('small', thirdScope));
        sizes.push(waiting.takeBatch(40).reduce((sum, { request }) => sum + request.events.length, 0));
      }
      expect(sizes.filter((size) => size === 50)).toHaveLength(2);
    });

    it('do not gain from having been idle', () => {
      const waiting = new WaitingRequests();
      const push = (request: AppendRequest): void =>
        waiting.push({ ...encodeRequest(request), resolve: () => undefined, reject: () => undefined });
      const take = (): string[] => waiting.takeBatch(1).map(({ request }) => request.tenantId);
      for (let index = 0; index < 20; index += 1) {
        push(inSession('busy'));
        take();
      }
      for (let index = 0; index < 4; index += 1) push(inSession('busy'));
      for (let index = 0; index < 4; index += 1) push(inSession('idle so far', otherScope));
      const order = Array.from({ length: 8 }, () => take()[0]);
      expect(order.slice(0, 4).filter((tenantId) => tenantId === scope.tenantId)).toHaveLength(2);
    });

    it('leave half of the queue to others', () => {
      const waiting = new WaitingRequests();
      const push = (request: AppendRequest): void =>
        waiting.push({ ...encodeRequest(request), resolve: () => undefined, reject: () => undefined });
      push(inSession('a', { events: messages(5) }));
      expect(waiting.isFullFor(scope.tenantId, 10, 1_000_000)).toBe(true);
      expect(waiting.isFullFor(otherScope.tenantId, 10, 1_000_000)).toBe(false);
      push(inSession('b', { ...otherScope, events: messages(5) }));
      expect(waiting.isFullFor(thirdScope.tenantId, 10, 1_000_000)).toBe(true);
      waiting.takeBatch(100);
      expect(waiting.isFullFor(scope.tenantId, 10, 1_000_000)).toBe(false);
    });
  });
});
