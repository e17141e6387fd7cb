import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutEnd } from './without-end.js';

it('removes what the pattern with a plus and a dollar would remove', () => {
  const text = fc.array(fc.constantFrom('.', '!', ' ', 'a', '…', '😋', '\ud83d', '\ude0b'), { maxLength: 12 });
  fc.assert(
    fc.property(text, (characters) => {
      const given = characters.join('');
      expect(withoutEnd(given, /[.!\s]/)).toBe(given.replace(/[.!\s]+$/, ''));
      expect(withoutEnd(given, /[^\p{L}]/u)).toBe(given.replace(/[^\p{L}]+$/u, ''));
      expect(withoutEnd(given, /\p{L}/u)).toBe(given.replace(/\p{L}+$/u, ''));
    }),
  );
});
