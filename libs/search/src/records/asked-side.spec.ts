import { describe, expect, it } from 'vitest';
import { factorBySide } from './asked-side.js';

describe('the side that a question asks about', () => {
  const ann = { text: "Ann's mother is a doctor.", roles: ['user'] };
  const bea = { text: "Bea's mother is a florist.", roles: ['assistant'] };
  const factors = (question: string, ...records: { text: string; roles: string[] }[]) => {
    const factor = factorBySide(question, ['ann', 'bea']);
    return factor === null ? null : records.map(factor);
  };

  it.each([
    ['What does my mother do?', [1, 0.4]],
    ['What did I say about mothers?', [1, 0.4]],
    ['What does your mother do?', [0.4, 1]],
    ["What does Bea's mother do?", null],
    ["Did I tell you about Bea's mother?", null],
    ['What do you know about my mother?', null],
  ])('%s', (question, expected) => {
    expect(factors(question, ann, bea)).toEqual(expected);
  });

  it.each([
    ['names the other speaker, too', { text: 'Bea has booked a table for Ann.', roles: ['assistant'] }],
    ['is about another person', { text: 'Greta is a doctor.', roles: ['assistant'] }],
    ['both sides stated', { ...bea, roles: ['assistant', 'user'] }],
    ['was inserted', { ...bea, roles: [] }],
  ])('keeps a record that %s', (_, record) => {
    expect(factors('What about my mother?', record)).toEqual([1]);
  });

  it('is unknown without speakers', () => expect(factorBySide('my mother?', [])).toBeNull());
});
