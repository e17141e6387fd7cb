import { describe, expect, it } from 'vitest';
import { meanOf, piecesOf } from './pieces.js';

describe('the pieces of a text', () => {
  it('are few, of about the same length, and end between words', () => {
    expect(piecesOf('one two three four five six', 15)).toEqual(['one two three', 'four five six']);
    expect(piecesOf('one two', 15)).toEqual(['one two']);
    expect(piecesOf('', 15)).toEqual(['']);
  });

  it('are never longer than allowed, and lose nothing but spaces', () => {
    for (const text of [
      'x'.repeat(1_000),
      'a bc def ghij klmno '.repeat(40),
      '😀'.repeat(301),
      ` ${'word '.repeat(99)}`,
    ]) {
      for (const longest of [2, 7, 125]) {
        const pieces = piecesOf(text, longest);
        expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(longest);
        expect(pieces.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        expect(pieces.every((piece) => piece.isWellFormed() && piece !== '')).toBe(true);
      }
    }
  });

  it('have a mean vector', () => {
    const sides = [
      [1, 0],
      [0, 1],
    ];
    expect(meanOf(sides)).toEqual([0.5, 0.5]);
    expect(meanOf([[1, 0]])).toEqual([1, 0]);
  });
});
