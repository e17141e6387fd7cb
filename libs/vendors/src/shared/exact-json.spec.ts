import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from './exact-json.js';

describe('exact JSON', () => {
  it('keeps every digit of a long integer, as text', () => {
    expect(parseExactJson('{"a":8823141512340984512,"b":[-9007199254740993],"c":9007199254740991}')).toEqual({
      a: '8823141512340984512',
      b: ['-9007199254740993'],
      c: 9_007_199_254_740_991,
    });
  });

  it('parses everything else like JSON.parse, also next to a long integer', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }).filter((json) => !/\d{16}/.test(json)),
        (json) => {
          expect(parseExactJson(`{"id":8823141512340984512,"rest":${json}}`)).toEqual({
            id: '8823141512340984512',
            rest: JSON.parse(json) as unknown,
          });
        },
      ),
    );
    expect(parseExactJson('{"a":8823141512340984512,"a":1,"__proto__":{"b":1}}')).toEqual(
      JSON.parse('{"a":1,"__proto__":{"b":1}}'),
    );
  });

  it.each(['', '{', '{"a":8823141512340984512', '[8823141512340984512,]', '['.repeat(200_000) + '8823141512340984512'])(
    'rejects invalid JSON: %#',
    (text) => expect(() => parseExactJson(text)).toThrow(),
  );
});
