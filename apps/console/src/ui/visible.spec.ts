import { describe, expect, it } from 'vitest';
import { markQuotes, piecesOf } from './visible.js';

const shown = (text: string): string =>
  piecesOf(text)
    .map((piece) => ('code' in piece ? `[${piece.code}]` : piece.text))
    .join('');

describe('stored text', () => {
  it('is shown as it is, with tabs and newlines', () => {
    expect(shown('<b>a</b>\tb\r\nc\n')).toBe('<b>a</b>\tb\r\nc\n');
    expect(shown('')).toBe('');
  });

  it('names characters that would hide or reorder it', () => {
    expect(shown('pay\u202e001\u202c')).toBe('pay[U+202E]001[U+202C]');
    expect(shown('a\u200bb\u0000c\ufeffd\u2066e\u{e0041}')).toBe('a[U+200B]b[U+0000]c[U+FEFF]d[U+2066]e[U+E0041]');
    expect(shown('line\rover')).toBe('line[U+000D]over');
    expect(shown('\ud800')).toBe('[U+D800]');
  });

  it('keeps pictures whole, and names a joiner anywhere else', () => {
    expect(shown('👩‍🚀 🏳️‍🌈')).toBe('👩‍🚀 🏳️‍🌈');
    expect(shown('a\u200db')).toBe('a[U+200D]b');
  });
});

describe('quotes', () => {
  it('are marked in the text', () => {
    expect(markQuotes('I moved to Hue.', ['moved to Hue'])).toEqual([
      { text: 'I ', marked: false },
      { text: 'moved to Hue', marked: true },
      { text: '.', marked: false },
    ]);
  });

  it('are merged where they overlap, and ignored where they are not in the text', () => {
    expect(markQuotes('abcd', ['abc', 'bcd', 'x', ''])).toEqual([
      { text: 'abc', marked: true },
      { text: 'd', marked: true },
    ]);
    expect(markQuotes('abcd', ['x'])).toEqual([{ text: 'abcd', marked: false }]);
  });
});
