import { describe, expect, it } from 'vitest';
import { reasonOf, type AttemptOutcome, type AttemptReason } from './attempt.js';
import { afterAttempt, newDelivery, replayDelivery, type Delivery } from './delivery.js';

const now = new Date('2026-01-01T00:00:00.000Z');
const response = (status: number, retryAfter?: string): AttemptOutcome => ({
  kind: 'response',
  status,
  durationMs: 3,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const failed = (code: Extract<AttemptOutcome, { kind: 'failed' }>['code']): AttemptOutcome => ({
  kind: 'failed',
  code,
  message: '',
  durationMs: 3,
});
const after = (delivery: Delivery, outcome: AttemptOutcome) => afterAttempt(delivery, outcome, { now, random: 0 });

describe('the reason of an attempt', () => {
  const cases: [AttemptOutcome, AttemptReason][] = [
    [response(200), 'delivered'],
    [response(204), 'delivered'],
    [response(299), 'delivered'],
    [response(301), 'redirect'],
    [response(308), 'redirect'],
    [response(304), 'redirect'],
    [response(400), 'client_error'],
    [response(404), 'client_error'],
    [response(410), 'gone'],
    [response(429), 'rate_limited'],
    [response(500), 'server_error'],
    [response(503), 'server_error'],
    [response(101), 'unexpected_status'],
    [response(999), 'unexpected_status'],
    [failed('timeout'), 'timeout'],
    [failed('blocked_address'), 'blocked_address'],
    [failed('network'), 'network'],
  ];
  it.each(cases)('of %j is %s', (outcome, reason) => expect(reasonOf(outcome)).toBe(reason));
});

describe('the result of an attempt', () => {
  it('is final after the first 2xx', () => {
    expect(after(newDelivery(now), response(202)).delivery).toEqual({
      status: 'delivered',
      attempts: 1,
      round: 1,
      dueAt: null,
      lastReason: 'delivered',
      parkReason: null,
    });
  });

  it('schedules a retry after a failure, with its reason', () => {
    const { delivery, reason, counted, disableEndpoint } = after(newDelivery(now), response(503));
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, lastReason: 'server_error' });
    expect(delivery.dueAt).toBe('2026-01-01T00:00:05.000Z');
    expect({ reason, counted, disableEndpoint }).toEqual({
      reason: 'server_error',
      counted: true,
      disableEndpoint: false,
    });
  });

  it('respects the Retry-After of a 429', () => {
    expect(after(newDelivery(now), response(429, '3600')).delivery.dueAt).toBe('2026-01-01T01:00:00.000Z');
  });

  it('parks immediately on 410 and disables the endpoint', () => {
    const { delivery, disableEndpoint } = after(newDelivery(now), response(410));
    expect(delivery).toMatchObject({ status: 'parked', parkReason: 'endpoint_gone', dueAt: null, attempts: 1 });
    expect(disableEndpoint).toBe(true);
  });

  it('does not count an attempt that we aborted', () => {
    const { delivery, counted } = after(newDelivery(now), failed('aborted'));
    expect(counted).toBe(false);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 0, dueAt: '2026-01-01T00:00:01.000Z' });
  });

  it('leaves a finished delivery unchanged, except that a late success counts', () => {
    const done = after(newDelivery(now), response(200)).delivery;
    expect(after(done, response(500)).delivery).toEqual(done);
    expect(after(done, failed('aborted')).delivery).toEqual(done);
    const parked = after(newDelivery(now), response(410)).delivery;
    expect(after(parked, response(500)).delivery).toEqual(parked);
    expect(after(parked, response(200)).delivery).toMatchObject({ status: 'delivered', parkReason: null });
  });
});

describe('replaying', () => {
  const parked = after(newDelivery(now), response(410)).delivery;
  const delivered = after(newDelivery(now), response(200)).delivery;

  it('makes a parked delivery due with a full retry schedule', () => {
    expect(replayDelivery(parked, { now })).toEqual({ ...newDelivery(now), round: 2 });
  });

  it('does nothing if it is pending, so that replaying twice sends once', () => {
    const once = replayDelivery(parked, { now })!;
    expect(replayDelivery(once, { now })).toBeNull();
    expect(replayDelivery(once, { now, includeDelivered: true })).toBeNull();
  });

  it('resends a delivered message only on request', () => {
    expect(replayDelivery(delivered, { now })).toBeNull();
    expect(replayDelivery(delivered, { now, includeDelivered: true })).toMatchObject({ status: 'pending', round: 2 });
  });
});
