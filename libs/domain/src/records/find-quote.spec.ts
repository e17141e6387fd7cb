import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findQuote } from './find-quote.js';

describe('a quote', () => {
  it.each([
    ['I moved to Hue.', 'moved to Hue', ['moved to Hue']],
    ['I’m  allergic to “latex”.', `I'm allergic to "latex"`, ['I’m  allergic to “latex”']],
    ['my policy is\nNG447', 'My policy is NG447', ['my policy is\nNG447']],
    ['Well, I sold it. Last week, I think, to Bob.', 'I sold it... to Bob', ['I sold it', 'to Bob']],
    ['We have a dog 🐕 called Milo.', 'WE HAVE A DOG 🐕 … Milo', ['We have a dog 🐕', 'Milo']],
    ['İstanbul is far', 'istanbul is', null],
    ['I moved to Hue.', 'I moved to Hanoi', null],
    ['to Bob I sold it', 'I sold it … to Bob', null],
    ['I moved to Hue.', 'I … e', null],
    ['I moved to Hue.', '…', null],
  ])('of %j: %j is %j', (content, quote, passages) => expect(findQuote(content, quote)).toEqual(passages));

  it('gives only passages that stand in the message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), fc.nat(), (content, a, b) => {
        const [from, to] = [a % (content.length + 1), b % (content.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const quote = content.slice(from, to).toUpperCase();
        for (const passage of findQuote(content, quote) ?? []) expect(content).toContain(passage);
      }),
    );
  });
});
