import { cheapest } from '@turnkeeper/testing';
import { describe, expect, it } from 'vitest';
import { answerReader } from './answer-evidence.js';

/** Words that begin with any letter. */
const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) =>
    (Math.imul(from + at + 1, 0x9e3779b1) >>> 0).toString(36).slice(1).replaceAll(/\d/gu, 'x'),
  ).join(' ');

describe('comparing a question with many records', () => {
  it('hardly costs more for a long question', () => {
    const records = Array.from({ length: 100 }, (_, at) => ({ said: [words(20 * at, 20)], asked: [] }));
    const costOf = (count: number): number => cheapest(() => records.forEach(answerReader(words(5, count), ['user'])));
    expect(costOf(100)).toBeLessThan(10 * costOf(3));
  });
});
