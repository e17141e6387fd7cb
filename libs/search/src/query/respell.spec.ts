import { describe, expect, it } from 'vitest';
import { isOtherForm, slipsBetween } from '../text/similar-words.js';
import { wordsOf } from '../text/tokenise.js';
import { doubtfulWords, isNoWord, likelyMeant, respelt, wordsBeginningLike } from './respell.js';

const VOCABULARY = new Set(wordsOf('User has a golden retriever. Customer lives in Ghent.', 'en'));

describe('a misspelt word', () => {
  it('is replaced by the nearest word of the texts', () => {
    expect(respelt(doubtfulWords('goldn retreiver'), VOCABULARY)).toEqual(['golden', 'retriever']);
    expect(respelt(doubtfulWords('a flat in Gehnt'), VOCABULARY)).toEqual(['ghent']);
  });

  it('is none if a text has it or a form of it, or if it is a word of everyday speech', () => {
    expect(respelt(doubtfulWords('retrievers in Ghent'), VOCABULARY)).toEqual([]);
    expect(doubtfulWords('what lives in the garden?')).toEqual([]);
  });

  it('is looked for among words with its first letter, or all of a text that is not ASCII', () => {
    const read = wordsBeginningLike(['gehnt', 'golden', 'anm']);
    expect(read("Ann's flat in GHENT, l'ange")).toEqual(['ann', 'ghent', 'ange']);
    expect(read('Ghent, près du canal')).toEqual(['ghent', 'près', 'du', 'canal']);
  });

  it('has no correction if no word is near', () => {
    expect(respelt(['kalimba'], VOCABULARY)).toEqual([]);
  });
});

describe('a word without texts to compare it with', () => {
  it('may be a misspelling if English has no such word, however rare', () => {
    expect(['dishwaser', 'pottrey', 'pottery', 'heron', 'gps', '2024'].filter(isNoWord)).toEqual([
      'dishwaser',
      'pottrey',
    ]);
  });

  it('is likely the nearest English word, and then the most frequent one', () => {
    expect(likelyMeant('dishwaser')[0]).toBe('dishwasher');
    expect(likelyMeant('pottrey').slice(0, 2)).toEqual(['pottery', 'potter']);
    expect(likelyMeant('xqzv')).toEqual([]);
  });
});

describe('two words', () => {
  it('differ by letters that are added, missing, wrong or swapped', () => {
    expect(slipsBetween('house', 'houses', 2)).toBe(1);
    expect(slipsBetween('house', 'huose', 2)).toBe(1);
    expect(slipsBetween('house', 'mouse', 2)).toBe(1);
    expect(slipsBetween('house', 'garden', 2)).toBe(3);
  });

  it('are forms of one if they begin alike', () => {
    expect(isOtherForm('complaint', 'complain')).toBe(true);
    expect(isOtherForm('member', 'membership')).toBe(true);
    expect(isOtherForm('contract', 'control')).toBe(false);
    expect(isOtherForm('cat', 'category')).toBe(false);
  });
});
