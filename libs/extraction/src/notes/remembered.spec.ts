import { expect, it } from 'vitest';
import { remembered } from './remembered.js';

it('a text is read once, and once more for another value, but not kept for ever', () => {
  const read: string[] = [];
  const lengthIn = remembered((text: string, of: string) => {
    read.push(`${of} ${text}`);
    return { of, length: text.length };
  });
  expect([lengthIn('eins', 'de'), lengthIn('eins', 'en'), lengthIn('eins', 'de')]).toEqual([
    { of: 'de', length: 4 },
    { of: 'en', length: 4 },
    { of: 'de', length: 4 },
  ]);
  expect(read).toEqual(['de eins', 'en eins']);
  for (let index = 0; index < 1_000; index += 1) lengthIn(String(index), 'de');
  lengthIn('eins', 'de');
  expect(read.filter((one) => one === 'de eins')).toHaveLength(2);
  const long = 'a'.repeat(2_000);
  expect([lengthIn(long, 'en'), lengthIn(long, 'en')]).toEqual(
    Array.from({ length: 2 }, () => ({ of: 'en', length: 2_000 })),
  );
  expect(read.filter((one) => one.endsWith(long))).toHaveLength(2);
});
