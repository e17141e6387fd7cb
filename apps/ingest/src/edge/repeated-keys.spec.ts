import { expectLinearCost } from '@turnkeeper/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_LIMITS, JsonShape } from './json-shape.js';
import { membersIn, repeatedKey } from './repeated-keys.js';

const countedIn = (json: string): number => {
  const shape = new JsonShape(JSON_LIMITS);
  shape.add(Buffer.from(json));
  return shape.members;
};

describe('keys that an object has twice', () => {
  it.each([
    ['{"a":1,"a":2}', ['a']],
    [String.raw`{"a":1,"\u0061":2}`, ['a']],
    ['{"a":{"b":1,"c":[{"d":1},{"d":1,"e":{},"d":2}]}}', ['a', 'c', 1, 'd']],
    ['[[1,2],{"x":"{\\"x\\":1,\\"x\\":2}","y":[],"x":3}]', [1, 'x']],
    ['{"":1,"":2}', ['']],
  ])('are found: %s', (json, path) => {
    expect(repeatedKey(json)).toEqual(path);
    expect(membersIn(JSON.parse(json))).toBeLessThan(countedIn(json));
  });

  it('are in no text that was written from a value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const json = JSON.stringify(value, null, 1);
        expect(repeatedKey(json)).toBeNull();
        if (!json.includes('__proto__')) expect(membersIn(JSON.parse(json))).toBe(countedIn(json));
      }),
    );
  });

  it.each([
    '{"__proto__":{}}',
    String.raw`[{"a":{"\u005f_proto__":1}}]`,
    '{"a":[{"constructor":{"prototype":{"b":1}}}]}',
  ])('are not looked for beside one that sets a prototype: %s', (json) => {
    expect(() => membersIn(JSON.parse(json))).toThrow(SyntaxError);
  });

  it('may be named like parts of a prototype', () => {
    expect(membersIn(JSON.parse('{"constructor":{"name":"a"},"prototype":{"constructor":null}}'))).toBe(4);
  });

  it('are found at a linear cost', { timeout: 120_000 }, () => {
    const tolerant = (json: string) => {
      try {
        repeatedKey(json);
      } catch {
        // Only valid texts are searched.
      }
    };
    expectLinearCost(tolerant, { parts: ['{', '}', '[', ']', '"', ':', ',', '\\', '"a":1,', ' '] });
  });
});
