import { describe, expect, it } from 'vitest';
import { stemOf } from './tokenise.js';
import { familyOf, WORD_FAMILIES } from './word-families.js';

const familyOfWord = (word: string) => familyOf(stemOf(word, 'en')).name;

describe('the family of a word', () => {
  it.each([
    ['bought', 'buys'],
    ['purchased', 'buying'],
    ['children', 'kid'],
    ['swam', 'swimming'],
    ['favourite', 'favorites'],
    ['mum', 'mothers'],
    ['pictures', 'photo'],
  ])('%s and %s is the same', (one, other) => expect(familyOfWord(one)).toBe(familyOfWord(other)));

  it.each([
    ['rose', 'rise'],
    ['bit', 'bite'],
    ['moth', 'mother'],
  ])('%s and %s is not the same', (one, other) => expect(familyOfWord(one)).not.toBe(familyOfWord(other)));

  it('is only one', () => {
    const stems = WORD_FAMILIES.flatMap((words) => [...new Set(words.map((word) => stemOf(word, 'en')))]);
    expect(stems.filter((stem, at) => stems.indexOf(stem) !== at)).toEqual([]);
  });
  it('has several stems', () => {
    const needless = WORD_FAMILIES.filter((words) => new Set(words.map((word) => stemOf(word, 'en'))).size === 1);
    expect(needless).toEqual([]);
  });
});
