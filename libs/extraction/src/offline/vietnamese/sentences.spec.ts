import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { vietnameseFact } from './rules.js';

const lines = readFileSync(new URL('sentences.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^[+-] /.test(line))
  .map((line) => {
    const [sentence = '', words = ''] = line.slice(2).split(' | ');
    return { states: line.startsWith('+'), sentence, words };
  });

describe('a hundred Vietnamese sentences', () => {
  const results = lines.map(({ states, sentence, words }) => {
    const fact = vietnameseFact(sentence, 'User', '2023-05-10T12:00:00Z');
    const isRight = states ? fact !== null && fact.includes(words) : fact === null;
    return { states, sentence, fact, isRight };
  });
  const wrong = results
    .filter(({ isRight }) => !isRight)
    .map(({ sentence, fact }) => `${sentence} → ${fact ?? 'nothing'}`);

  it('are a hundred', () => expect(lines).toHaveLength(100));

  it('give no record if they state no fact', () => {
    const invented = results.filter(({ states, fact }) => !states && fact !== null);
    expect(invented.map(({ sentence, fact }) => `${sentence} → ${fact}`)).toEqual([]);
  });

  it('are understood in 85 of 100 cases', () => {
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(15);
  });
});
