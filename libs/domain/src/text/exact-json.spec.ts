import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLongInteger, parseJson, plainText, quoteLongIntegers, writeJson } from './exact-json.js';

/** JSON texts without spaces, as `writeJson` writes them, with integers of 1 to 40 digits anywhere. */
const integer = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^[1-9]\d{0,39}$/))
  .map(([sign, digits]) => `${sign}${digits}`);
const key = fc.string().map((name) => JSON.stringify(`k${name}`));
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { arbitrary: integer, weight: 3 },
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true', '0', '0.5', '"12345678901234567890"', '"say \\"1\\": 12345678901234567890"'),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([name]) => name })
      .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`),
  ),
}));

describe('JSON with integers of any length', () => {
  it('is written as it was read', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(writeJson(parseJson(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is otherwise parsed and written as by JavaScript', () => {
    fc.assert(
      fc.property(
        fc.json().filter((text) => !/\d{16}/.test(text)),
        (text) => {
          expect(parseJson(text)).toEqual(JSON.parse(text));
          expect(writeJson(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(text)));
        },
      ),
    );
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['{ "a" : -9007199254740993 }', '{"a":-9007199254740993}'],
    ['[ 9007199254740993 , 9007199254740991, 1 ]', '[9007199254740993,9007199254740991,1]'],
    ['{"a":"say \\"x\\": 8823141512340984513","b":8823141512340984513}', null],
    ['{"a\\\\":8823141512340984513}', null],
  ])('%s keeps its digits', (text, written) => expect(writeJson(parseJson(text))).toBe(written ?? text));

  it('has fractions and exponents as doubles', () => {
    const text = '[0.88231415123409845131,8823141512340984513e2,1e-88231415123409845131,8823141512340984513.0]';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it("never takes a client's text for a number", () => {
    for (const text of [
      '"\\u00009007199254740993"',
      '["a","\\u0000-9007199254740993"]',
      '{"a":"\\u00009007199254740993"}',
    ]) {
      expect(writeJson(parseJson(text))).not.toMatch(/[:[,]?-?9007199254740993(?!")/);
    }
    expect(isLongInteger(parseJson('"\\u00009007199254740993"'))).toBe(false);
    expect(isLongInteger('9007199254740993')).toBe(false);
  });

  it.each([
    '{"a":8823141512340984513',
    '["8823141512340984513, 8823141512340984513',
    '[08823141512340984513]',
    '{8823141512340984513:1}',
    '[1-8823141512340984513]',
    '[+8823141512340984513]',
  ])('%s stays invalid', (text) => expect(() => parseJson(text)).toThrow(SyntaxError));

  it('has the digits as text where text is wanted', () => {
    expect(plainText(parseJson('8823141512340984513') as string)).toBe('8823141512340984513');
    expect(plainText('\u0000x')).toBe('\u0000x');
    expect(JSON.parse(quoteLongIntegers('[8823141512340984513,1]'))).toEqual(['8823141512340984513', 1]);
  });
});
