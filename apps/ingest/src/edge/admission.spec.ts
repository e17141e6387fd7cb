import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { MissingScope, TooManyFailures, TooManyInFlight, Unauthenticated } from '../auth/auth-errors.js';
import type { Authenticator } from '../auth/authenticator.js';
import { FailedKeys } from '../auth/failed-keys.js';
import { InFlight } from '../limits/in-flight.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { Admission, type Admitted } from './admit-on-headers.js';

/** Keys are named after their tenants; the authenticator caches a key after its first look-up. */
const given = ({ failures = 0, inFlight = 10 } = {}) => {
  const known = new Set<string>();
  const pending = new Map<string, Promise<unknown>>();
  const state = { lookUps: 0, shared: 0, taken: 0 };
  const callerOf = (tenantId: string) => ({ tenantId, keyId: 'k', scopes: ['memory:read'] });
  const authenticator = {
    known: (key: string) => (known.has(key) ? callerOf(key) : null),
    pending: (key: string) => pending.get(key) ?? null,
    lookUp: (key: string, how = 'alone') => {
      if (how === 'alone') state.lookUps += 1;
      else state.shared += 1;
      const found = Promise.resolve().then(() => {
        pending.delete(key);
        if (key.startsWith('wrong')) throw new Unauthenticated();
        known.add(key);
        return callerOf(key);
      });
      if (how === 'alone') pending.set(key, found);
      return found;
    },
  } as unknown as Authenticator;
  const rateLimiter = { take: () => void (state.taken += 1), headersOf: () => null } as unknown as RateLimiter;
  const admission = new Admission(
    authenticator,
    rateLimiter,
    new FailedKeys(failures, () => 0),
    new InFlight(() => inFlight),
  );
  const ends: (() => void)[] = [];
  const admit = async (authorization: string | undefined, scope: 'memory:read' | 'admin' = 'memory:read') => {
    const request = { headers: { authorization }, ip: '10.0.0.1', routeOptions: {} } as unknown as FastifyRequest &
      Admitted;
    await admission.admit(request, scope, (then) => ends.push(then));
    return request.tenantId;
  };
  return { state, known, ends, admit };
};

describe('admission by headers', () => {
  it('identifies the tenant and looks a key up once', async () => {
    const { state, admit } = given();
    expect([await admit('acme'), await admit('acme'), state.lookUps]).toEqual(['acme', 'acme', 1]);
    await expect(admit('acme', 'admin')).rejects.toThrow(MissingScope);
    await expect(admit(undefined)).rejects.toThrow(Unauthenticated);
  });

  it('shares the look-ups of an address over its failure limit, and accepts every valid key from it', async () => {
    const { state, admit } = given({ failures: 2 });
    await admit('acme');
    for (const key of ['wrong 1', 'wrong 2']) await expect(admit(key)).rejects.toThrow(Unauthenticated);
    for (const key of ['wrong 3', 'wrong 4']) await expect(admit(key)).rejects.toThrow(TooManyFailures);
    expect(await admit('never used before')).toBe('never used before');
    expect(state).toMatchObject({ lookUps: 3, shared: 3 });
  });

  it('counts guesses that arrive at the same moment', async () => {
    const { state, admit } = given({ failures: 2 });
    await Promise.allSettled(Array.from({ length: 50 }, (_, at) => admit(`wrong ${at}`)));
    expect(state).toMatchObject({ lookUps: 2, shared: 48 });
  });

  it('lets requests wait for the look-up of their key without counting them as guesses', async () => {
    const { state, admit } = given({ failures: 2, inFlight: 100 });
    await Promise.all(Array.from({ length: 64 }, () => admit('acme')));
    expect(state).toMatchObject({ lookUps: 1, shared: 0, taken: 64 });
  });

  it('limits concurrent requests per tenant', async () => {
    const { ends, admit } = given({ inFlight: 2 });
    await admit('acme');
    await admit('acme');
    await expect(admit('acme')).rejects.toThrow(TooManyInFlight);
    expect(await admit('other')).toBe('other');
    ends[0]?.();
    expect(await admit('acme')).toBe('acme');
  });
});
