import { describe, expect, it } from 'vitest';
import { sha256Hex, systemIds } from './system.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const versionOf = (id: string): string | undefined => UUID.exec(id)?.[1];

describe('ids', () => {
  it('are version 7 UUIDs that start with the time and never repeat', () => {
    const before = Date.now();
    const ids = Array.from({ length: 10_000 }, () => systemIds.next());
    const after = Date.now();
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(versionOf(id)).toBe('7');
      const at = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
      expect(at >= before && at <= after).toBe(true);
    }
  });

  it('are the same version 8 UUID for the same parts, in every release', () => {
    expect(systemIds.derive('event-id', 'a', 1)).toBe('10b52cee-d952-89b2-a1fd-465f3eb00434');
    expect(versionOf(systemIds.derive('x'))).toBe('8');
  });

  it('differ if a part differs, the parts are split elsewhere, or a number is a string', () => {
    const ids = [
      systemIds.derive('a', 'b'),
      systemIds.derive('ab'),
      systemIds.derive('a', 'b', ''),
      systemIds.derive('b', 'a'),
      systemIds.derive('a', 1),
      systemIds.derive('a', '1'),
      systemIds.derive('a","b'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('sha256Hex', () => {
  it('matches the standard digest', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
