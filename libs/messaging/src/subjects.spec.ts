import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSubjectToken, memoryEventsSubject, underPrefix } from './subjects.js';

describe('subject tokens', () => {
  it('leave identifiers unchanged', () => {
    expect(encodeSubjectToken('0190c3b2-7f00-7000-8000-0123456789ab')).toBe('0190c3b2-7f00-7000-8000-0123456789ab');
    expect(encodeSubjectToken('desk_42')).toBe('desk_42');
  });

  it('encode characters with a meaning in subjects, byte by byte', () => {
    expect(encodeSubjectToken('a.b*c>d e')).toBe('a=2Eb=2Ac=3Ed=20e');
    expect(encodeSubjectToken('ü')).toBe('=C3=BC');
    expect(encodeSubjectToken('=')).toBe('=3D');
    expect(encodeSubjectToken('')).toBe('=');
  });

  it('are never empty, contain no separator or wildcard, and differ for different texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(encodeSubjectToken(a)).toMatch(/^[A-Za-z0-9_=-]+$/);
        expect(encodeSubjectToken(a) === encodeSubjectToken(b)).toBe(a === b);
      }),
    );
  });
});

describe('subjects', () => {
  it('contain tenant and memory', () => {
    expect(memoryEventsSubject('t1', 'm.1')).toBe('tk.t1.m=2E1.events');
    expect(memoryEventsSubject('t1', 'm1', 'staging')).toBe('staging.t1.m1.events');
  });

  it('change only their first token under another prefix', () => {
    expect(underPrefix('tk.*.*.events', 'staging')).toBe('staging.*.*.events');
    expect(underPrefix('tkx.*', 'staging')).toBe('tkx.*');
  });
});
