import { expect, it } from 'vitest';
import { textsAt } from './texts-at.js';

const value = { a: 'x', n: 3, of: { b: 'y' }, list: [{ t: 'u' }, { t: 'v' }], tags: ['p', 'q'], none: null };

it.each([
  ['a', ['x']],
  ['n', ['3']],
  ['of.b', ['y']],
  ['tags[*]', ['p', 'q']],
  ['tags[-1]', ['q']],
  ['list[*].t', ['u', 'v']],
  ['list[0].t', ['u']],
  ['of.*', ['y']],
  ['{a, of.b}', ['x', 'y']],
  ['none', []],
  ['none.b', []],
  ['missing[0].b', []],
  ['$', [JSON.stringify(value, null, 2)]],
])('reads the texts at %s', (path, texts) => {
  expect(textsAt(value, path)).toEqual(texts);
});
