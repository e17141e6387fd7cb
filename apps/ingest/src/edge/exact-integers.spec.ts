import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withExactIntegers } from './exact-integers.js';

/** Texts without long integers, outside of strings and in them. */
const short = fc.json().filter((json) => !/\d{16}/.test(json));
const read = (json: string): unknown => JSON.parse(withExactIntegers(json));

describe('integers in a body', () => {
  it.each([
    ['{"user_id":8823141512340984513}', { user_id: '8823141512340984513' }],
    ['{"user_id": -8823141512340984513 }', { user_id: '-8823141512340984513' }],
    ['[8823141512340984513,9007199254740991,1]', ['8823141512340984513', 9007199254740991, 1]],
    ['{"a":"say \\"x\\": 8823141512340984513","b":1}', { a: 'say "x": 8823141512340984513', b: 1 }],
    ['{"a\\\\":8823141512340984513}', { 'a\\': '8823141512340984513' }],
    [
      '{"a":0.88231415123409845131,"b":[8823141512340984513]}',
      { a: JSON.parse('0.88231415123409845131'), b: ['8823141512340984513'] },
    ],
    ['{"a":1e-88231415123409845131,"b":[8823141512340984513e2]}', { a: 0, b: [JSON.parse('8823141512340984513e2')] }],
  ])('%s are preserved exactly, and nothing else changes', (json, value) => expect(read(json)).toEqual(value));

  it('leave a text without long integers unchanged', () => {
    fc.assert(
      fc.property(short, (json) => {
        expect(withExactIntegers(json)).toBe(json);
      }),
    );
  });

  it('are found next to any other value', () => {
    fc.assert(
      fc.property(short, short, (before, after) => {
        const json = `[${before},8823141512340984513,${after}]`;
        expect(read(json)).toEqual([JSON.parse(before), '8823141512340984513', JSON.parse(after)]);
      }),
    );
  });

  it('leave invalid JSON invalid', () => {
    for (const json of ['{"a":8823141512340984513', '["8823141512340984513, 8823141512340984513']) {
      expect(() => read(json)).toThrow();
    }
  });
});
