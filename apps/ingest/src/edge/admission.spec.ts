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
  const state = { lookUps: 0, taken: 0 };
  const callerOf = (tenantId: string) => ({ tenantId, keyId: 'k', scopes: ['memory:read'] });
  const authenticator = {
    known: (key: string) => (known.has(key) ? callerOf(key) : null),
    lookUp: async (key: string) => {
      state.lookUps += 1;
      if (key.startsWith('wrong')) throw new Unauthenticated();
      known.add(key);
      return callerOf(key);
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

  it('looks up no more unknown keys for an address over its failure limit, but accepts recently valid keys', async () => {
    const { state, known, admit } = given({ failures: 2 });
    await admit('acme');
    for (const key of ['wrong 1', 'wrong 2']) await expect(admit(key)).rejects.toThrow(Unauthenticated);
    for (const key of ['wrong 3', 'other']) await expect(admit(key)).rejects.toThrow(TooManyFailures);
    expect(state.lookUps).toBe(3);
    known.clear();
    expect(await admit('acme')).toBe('acme');
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
