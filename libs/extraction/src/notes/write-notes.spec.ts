import type { WindowMessage } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { notesIn } from './notes.js';

const notesOf = (content: string): string[] => {
  const message: WindowMessage = {
    ...{ eventId: 'e', sequence: 1, role: 'user', content, speaker: null, source: null },
    at: '2026-03-04T12:00:00Z',
  };
  return notesIn([message], []).notes.map(
    ({ candidate: { sources, attribute } }) =>
      `${sources.map(({ quote }) => quote).join(' … ')}${attribute ? ` [${attribute.name}]` : ''}`,
  );
};

describe('a value that a newer one will end', () => {
  it.each([
    ['My patient number is 4471 and I live in Hue.', ['I live in Hue. [home]', 'My patient number is 4471']],
    ['I moved to Lisbon and I still need the invoice.', ['I moved to Lisbon [home]', 'I still need the invoice.']],
    ['I live in Hue, but my daughter studies in Da Nang.', ['I live in Hue [home]', 'my daughter studies in Da Nang.']],
    ['I live in Hue, Vietnam.', ['I live in Hue, Vietnam. [home]']],
  ])('stands alone in its note: %s', (content, expected) => {
    expect(notesOf(content)).toEqual(expected);
  });
});

describe('an agent whom an interruption cut off at an unknown place', () => {
  const call = (isCut: boolean): string[] => {
    const said = { speaker: null, source: null, at: '2026-03-04T12:00:00Z' };
    const messages: WindowMessage[] = [
      {
        ...said,
        ...{ eventId: 'a', sequence: 1, role: 'assistant' },
        content: 'The fee is 38 euros. Is that right?',
        isCut,
      },
      { ...said, ...{ eventId: 'b', sequence: 2, role: 'user' }, content: 'Yes.' },
      { ...said, ...{ eventId: 'c', sequence: 3, role: 'assistant' }, content: 'What is your order number?', isCut },
      { ...said, ...{ eventId: 'd', sequence: 4, role: 'user' }, content: 'It is 44712.' },
    ];
    return notesIn(messages, []).notes.map(({ candidate: { text } }) => text);
  };

  it('has stated nothing that another note is about', () => {
    const said = { speaker: null, source: null, at: '2026-03-04T12:00:00Z' };
    const notesOf = (isCut: boolean): string => {
      const messages: WindowMessage[] = [
        { ...said, ...{ eventId: 'a', sequence: 1, role: 'user' }, content: 'Can you send a parcel for me?' },
        {
          ...said,
          ...{ eventId: 'b', sequence: 2, role: 'assistant' },
          content: 'We deliver from Marlow Street.',
          isCut,
        },
        { ...said, ...{ eventId: 'c', sequence: 3, role: 'user' }, content: 'Sorry, one more thing.' },
        { ...said, ...{ eventId: 'd', sequence: 4, role: 'assistant' }, content: 'It costs 12 euros.' },
      ];
      const { notes } = notesIn(messages, []);
      return notes.map(({ candidate: { text } }) => text).join(' ');
    };
    expect(notesOf(false)).toContain('Marlow');
    expect(notesOf(true)).toContain('12 euros');
    expect(notesOf(true)).not.toContain('Marlow');
  });

  it('has stated nothing, and may have asked', () => {
    expect(call(false).join(' ')).toContain('38 euros');
    expect(call(true)).toEqual(['Asked "What is your order number?", User said: "It is 44712."']);
  });
});
