import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonShape, jsonBeyond } from './json-shape.js';

const bytes = (text: string) => Buffer.from(text);
const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;
const depthOf = (value: unknown): number => (isTree(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0);
const countOf = (value: unknown): number =>
  isTree(value) ? Object.values(value).reduce<number>((count, inner) => count + countOf(inner), 1) : 1;

describe('the shape of a JSON text', () => {
  it.each([
    ['[[[]]]', { depth: 3, values: 100 }, null],
    ['[[[]]]', { depth: 2, values: 100 }, 'depth'],
    ['[[],[],[]]', { depth: 2, values: 7 }, null],
    ['[1,2,3,4]', { depth: 9, values: 4 }, 'values'],
    ['{"a":"[[[[[","b":",,,,,"}', { depth: 1, values: 3 }, null],
    [String.raw`["\"[[[[", "\\"]`, { depth: 1, values: 3 }, null],
    [String.raw`["\\\"[[[["]`, { depth: 1, values: 3 }, null],
    ['"unended [[[[', { depth: 0, values: 1 }, null],
    [']]]][', { depth: 0, values: 9 }, null],
  ] as const)('%s within %j: %s', (json, limits, beyond) => {
    expect(jsonBeyond(bytes(json), limits)).toBe(beyond);
  });

  it('is the same however the text is cut', () => {
    const text = fc.array(fc.constantFrom('"', '\\', '[', ']', '{', ',', 'a'), { maxLength: 40 });
    const limits = { depth: 3, values: 6 };
    fc.assert(
      fc.property(text, fc.array(fc.nat(8), { maxLength: 40 }), (characters, lengths) => {
        const whole = bytes(characters.join(''));
        const shape = new JsonShape(limits);
        let beyond: ReturnType<typeof jsonBeyond> = null;
        for (let at = 0, cut = 0; beyond === null && at < whole.length; cut += 1) {
          const end = at + (lengths[cut] ?? whole.length);
          beyond = shape.add(whole.subarray(at, end));
          at = end;
        }
        expect(beyond).toBe(jsonBeyond(whole, limits));
      }),
      { numRuns: 2_000 },
    );
  });

  it('exceeds the depth exactly when the parsed value does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 0, max: 8 }), (value, depth) => {
        const beyond = jsonBeyond(bytes(JSON.stringify(value)), { depth, values: Number.POSITIVE_INFINITY });
        expect(beyond).toBe(depthOf(value) > depth ? 'depth' : null);
      }),
    );
  });

  it('counts a value once or twice, never less', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const json = bytes(JSON.stringify(value));
        const within = (values: number) => jsonBeyond(json, { depth: 99, values }) === null;
        expect(within(countOf(value) * 2)).toBe(true);
        if (countOf(value) > 3) expect(within(Math.floor(countOf(value) / 2) - 1)).toBe(false);
      }),
    );
  });
});
