import { describe, expect, it } from 'vitest';
import type { Strategy } from './strategy.js';
import { strategyVersion } from './strategy-versions.js';

const strategy = (strategyId: string, version: number, name: string) => ({ strategyId, version, name }) as Strategy;
const CREATED = { name: 'm', description: '', eventExpiryDuration: 30 };
const HISTORY = [
  { type: 'memory.created', data: { ...CREATED, strategies: [strategy('a', 1, 'facts')] } },
  { type: 'strategy.added', data: { strategy: strategy('b', 1, 'likes') } },
  { type: 'strategy.revised', data: { strategy: strategy('a', 2, 'facts of life') } },
  { type: 'strategy.disabled', data: { strategyId: 'a' } },
] as const;

describe('a given version of a strategy', () => {
  it.each([
    ['a', 1, 'facts'],
    ['a', 2, 'facts of life'],
    ['b', 1, 'likes'],
    ['b', 2, null],
    ['c', 1, null],
  ] as const)('%s@%i was %s', (strategyId, version, name) => {
    expect(strategyVersion(HISTORY, strategyId, version)?.name ?? null).toBe(name);
  });
});
