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
});
