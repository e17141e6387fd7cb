import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clausesOf } from './clauses.js';
import { addresses, withoutOpeners } from './openers.js';
import { lastSentencesOf, sentencesOf } from './sentences.js';
import type { Span } from './spans.js';

const texts = (spans: readonly Span[]): string[] => spans.map(({ text }) => text);
const spanOf = (text: string): Span => ({ text, start: 0, end: text.length });

describe('sentencesOf', () => {
  it.each([
    ['I cook. I paint!', ['I cook.', 'I paint!']],
    ['Really?! Yes.', ['Really?!', 'Yes.']],
    ['I met Dr. Lam at 5 p.m. yesterday. Nice man.', ['I met Dr. Lam at 5 p.m. yesterday.', 'Nice man.']],
    ['So did I. Then I left.', ['So did I.', 'Then I left.']],
    ['It costs 4.50 euros. Fine.', ['It costs 4.50 euros.', 'Fine.']],
    ['I was... not sure. OK', ['I was... not sure.', 'OK']],
    ['one line\nanother line', ['one line', 'another line']],
    ['She said "no." Then she left.', ['She said "no."', 'Then she left.']],
    ['I won!🎉 We drank.', ['I won!', '🎉 We drank.']],
    ['So happy 🎉 We moved to Oslo', ['So happy 🎉', 'We moved to Oslo']],
    ['I love 🎉 parties', ['I love 🎉 parties']],
    ['我住在上海。I work in Hue. 你好！', ['我住在上海。', 'I work in Hue.', '你好！']],
    ['no punctuation at all', ['no punctuation at all']],
    ['', []],
  ])('of %j', (content, expected) => {
    expect(texts(sentencesOf(content))).toEqual(expected);
  });

  it('returns spans that quote the message', () => {
    const content = '  Hi!  I moved to Hue.\n\nIt rains 🌧️ here. ';
    for (const { text, start, end } of sentencesOf(content)) expect(content.slice(start, end)).toBe(text);
  });

  it('splits a monologue without full stops', () => {
    const parts = sentencesOf('word '.repeat(1_000));
    expect(parts.length).toBeGreaterThan(4);
    expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThanOrEqual(1_000);
  });
});

describe('lastSentencesOf', () => {
  it('returns the last sentences, however long the text is', () => {
    const part = fc.constantFrom(
      ...['I met Dr. Lam', 'approx. 5', 'no. ', '. ', '… ', '! ', '\n', 'So did I. ', '🎉 We', 'x'.repeat(90)],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), (parts, count) => {
        const text = parts.join('');
        expect(lastSentencesOf(text, count)).toEqual(texts(sentencesOf(text)).slice(-count));
      }),
      { numRuns: 1_000, seed: 20_261_123 },
    );
  });
});

describe('clausesOf', () => {
  it.each([
    ['I work at a bank, and I teach on Sundays', ['I work at a bank', 'and I teach on Sundays']],
    ['I love rice but I hate beans', ['I love rice', 'but I hate beans']],
    ['We moved to Hue; my wife works there', ['We moved to Hue', 'my wife works there']],
    ['I ran a race - I was so tired', ['I ran a race', 'I was so tired']],
    ['I paint, so I relax a lot', ['I paint, so I relax a lot']],
    ['My friend Ana and I opened a shop', ['My friend Ana and I opened a shop']],
    ['My dog barks and I love it', ['My dog barks', 'and I love it']],
    ['I have a dog and a cat', ['I have a dog and a cat']],
    ['It was a wild month; last week I sold my boat', ['It was a wild month', 'last week I sold my boat']],
    ['I work a lot, but yesterday I went skiing', ['I work a lot', 'but yesterday I went skiing']],
    ['I work a lot, but last week was fine', ['I work a lot, but last week was fine']],
    ['I ran, and I fell', ['I ran, and I fell']],
  ])('of %j', (sentence, expected) => {
    const clauses = clausesOf(spanOf(sentence));
    expect(texts(clauses)).toEqual(expected);
    for (const { text, start, end } of clauses) expect(sentence.slice(start, end)).toBe(text);
  });
});

describe('withoutOpeners', () => {
  it.each([
    ['Yeah, I live here', 'I live here'],
    ['Oh wow, thanks, Linh! I live here', 'I live here'],
    ['Thanks Linh, I live here', 'Thanks Linh, I live here'],
    ['Linh, I live here', 'I live here'],
    ['And I live here', 'I live here'],
    ['no I never smoke', 'I never smoke'],
    ['Since we last talked, I moved', 'I moved'],
    ['I wanted to tell you that I moved', 'I moved'],
    ['Please remember that I am diabetic', 'I am diabetic'],
    ['So far I like it', 'So far I like it'],
    ['Great schools are rare', 'Great schools are rare'],
  ])('of %j', (sentence, expected) => {
    expect(withoutOpeners(spanOf(sentence), 'Linh').text).toBe(expected);
  });

  it('recognises short forms of a name', () => {
    expect(['Mel', 'Melly', 'Melanie', 'Melbourne', 'Anna', 'M'].filter((word) => addresses(word, 'Melanie'))).toEqual([
      'Mel',
      'Melly',
      'Melanie',
      'Melbourne',
    ]);
  });
});
