import { expect, it } from 'vitest';
import { ScopeCache } from './scope-cache.js';

const of = (bytes: number) => ({ bytes });

it('forgets the least recently used scopes beyond its size', () => {
  const cache = new ScopeCache(100, () => 0);
  for (const key of ['a', 'b', 'c']) cache.set(key, of(40));
  expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true]);
  cache.get('b');
  cache.set('d', of(40));
  expect(['b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
});

it('forgets what has grown beyond its size', () => {
  const cache = new ScopeCache<{ bytes: number }>(100, () => 0);
  const grows = of(10);
  cache.set('a', grows);
  grows.bytes = 101;
  cache.trim();
  expect(cache.get('a')).toBeUndefined();
});

it('forgets scopes that were not used for ten minutes, whichever scope is asked for', () => {
  let now = 0;
  const cache = new ScopeCache(100, () => now);
  cache.set('a', of(1));
  cache.set('b', of(1));
  now = 600_000;
  expect(cache.get('a')).toBeDefined();
  now = 600_001;
  cache.get('other');
  expect(cache.size).toBe(1);
  now = 1_200_001;
  expect(cache.get('a')).toBeUndefined();
});

/** The number of the search after which a scope is loaded. */
const searchesUntilLoaded = (rows: number): number => {
  const cache = new ScopeCache(100, () => 0);
  let searches = 1;
  while (!cache.isWorthLoading('a', rows)) searches += 1;
  return searches;
};

it('loads a scope once its searches cost as much, and never for a single search', () => {
  expect([1, 600, 3_000, 10_000].map(searchesUntilLoaded)).toEqual([2, 2, 10, 34]);
});

it('looks at a scope that is too large only after many more searches', () => {
  const cache = new ScopeCache(100, () => 0);
  cache.refuse('a');
  for (let search = 0; search < 1_000; search += 1) expect(cache.isWorthLoading('a', 1)).toBe(false);
  expect(cache.isWorthLoading('a', 1)).toBe(false);
  expect(cache.isWorthLoading('a', 1)).toBe(true);
});

it('does not try again and again to hold a scope that does not fit', () => {
  const cache = new ScopeCache(100, () => 0);
  cache.set('small', of(90));
  cache.set('a', of(101));
  expect(cache.size).toBe(1);
  for (let search = 0; search < 1_000; search += 1) expect(cache.isWorthLoading('a', 1)).toBe(false);
});

it('loads nothing without memory', () => {
  const cache = new ScopeCache(0, () => 0);
  for (let search = 0; search < 10; search += 1) expect(cache.isWorthLoading('a', 1)).toBe(false);
});
