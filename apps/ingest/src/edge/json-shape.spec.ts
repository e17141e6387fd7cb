import { markLongIntegers } from '@turnkeeper/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonShape, jsonBeyond } from './json-shape.js';

const bytes = (text: string) => Buffer.from(text);
const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;
const depthOf = (value: unknown): number => (isTree(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0);
const countOf = (value: unknown): number =>
  isTree(value) ? Object.values(value).reduce<number>((count, inner) => count + countOf(inner), 1) : 1;

const isValid = (json: string): boolean => {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
};

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

  const isExact = (json: string, cut = json.length): boolean => {
    const shape = new JsonShape({ depth: 99, values: 99 });
    shape.add(bytes(json).subarray(0, cut));
    shape.add(bytes(json).subarray(cut));
    return shape.isExact;
  };

  it('tells texts that are read without loss', () => {
    expect(isExact('{"a":"1234567890123456","b":123456789012345,"c":[0.5,"\\n"]}')).toBe(false);
    expect(isExact('{"a":"1234567890123456 \\n","b":123456789012345,"c":[0.5,1]}')).toBe(true);
    expect(isExact('[1234567890123456]', 5)).toBe(false);
    expect(isExact('["\\u00001234567890123456"]', 2)).toBe(false);
    const parts = [
      '"',
      '\\',
      '\\u0000',
      '-1234567890123456',
      '12345678',
      '.',
      'e',
      ',',
      ':',
      '[',
      ']',
      '{',
      '}',
      ' ',
      'a',
    ];
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.nat(60), (characters, cut) => {
        const json = characters.join('');
        fc.pre(isExact(json, cut) && isValid(json));
        expect(markLongIntegers(json)).toBe(json);
      }),
      { numRuns: 500 },
    );
  });
});
