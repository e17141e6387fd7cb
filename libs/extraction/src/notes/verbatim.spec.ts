import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StrategyType, WindowMessage } from '@turnkeeper/domain';
import { notesIn } from './notes.js';
import { NotesExtractor } from './notes-extractor.js';

const FRAME =
  /^(?:(?:Asked|Told) ⟦⟧, )?(?:User|Agent|Maya) said: ⟦⟧(?: ⟦⟧)*(?: (?:User|Agent|Maya) said: ⟦⟧)?(?: \(said on \d{1,2} [A-Z][a-z]+ \d{4}\))?$/u;

const PIECES = [
  ...['I ', "I'm ", 'my number is ', 'double five ', '4471 ', 'Hue', 'please ', 'yes ', 'no ', 'tomorrow ', 'May 3rd '],
  ...[
    'Could you give me your name?',
    'What is your policy number? ',
    'booked for Friday at 10',
    "I've opened claim 88 ",
  ],
  ...[
    'mañana ',
    '¿Cuál es su teléfono? ',
    'ich möchte ',
    'Wie ist Ihr Name? ',
    'em muốn ',
    '我的电话是',
    '一三八',
    '？',
    '。',
  ],
  ...[
    '.',
    '!',
    '?',
    ',',
    ' ',
    '  ',
    '\n',
    '"',
    '“',
    '”',
    '…',
    '🎉',
    '\u200B',
    '\uD83D',
    '<b>',
    '[a](http://b)',
    '@x.org ',
  ],
];
const content = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join('')),
  fc.string({ maxLength: 60, unit: 'binary' }),
);
const messages = fc
  .array(
    fc.record({
      role: fc.constantFrom('user', 'assistant', 'tool', 'x'),
      speaker: fc.constantFrom(null, 'Maya'),
      content,
    }),
    {
      maxLength: 8,
    },
  )
  .map((list): WindowMessage[] =>
    list.map((message, index) => ({
      ...message,
      eventId: `e${index}`,
      sequence: index + 1,
      at: '2023-05-10T12:00:00Z',
      source: null,
    })),
  );

describe('a note', () => {
  it('is a frame with contiguous quotes of the messages that it cites', () => {
    fc.assert(
      fc.property(messages, fc.nat({ max: 4 }), (all, before) => {
        const contents = new Map(all.map(({ eventId, content }) => [eventId, content]));
        for (const { candidate, note } of notesIn(all.slice(before), all.slice(0, before)).notes) {
          const quotes = [
            ...(note.question === null ? [] : [note.question.text]),
            ...note.said.map(({ text }) => text),
          ];
          let rest = candidate.text;
          for (const quote of quotes) {
            const enclosed = quote.includes('"') ? `“${quote}”` : `"${quote}"`;
            expect(rest).toContain(enclosed);
            rest = rest.replace(enclosed, () => '⟦⟧');
          }
          expect(rest).toMatch(FRAME);
          for (const quote of quotes)
            expect(
              candidate.sources.some(
                (source) => source.quote === quote && contents.get(source.eventId)?.includes(quote),
              ),
            ).toBe(true);
        }
      }),
      { numRuns: 1_500 },
    );
  }, 120_000);

  const apply = (strategyType: StrategyType, content: string) =>
    JSON.parse(
      new NotesExtractor().apply({
        ...{ tenantId: 't', strategyType, strategyVersion: 1, customPrompt: 'Note allergies.', context: [] },
        messages: [
          {
            ...{ eventId: 'e', sequence: 1, role: 'user', speaker: null, source: null },
            ...{ content, at: '2023-05-10T12:00:00Z' },
          },
        ],
      }).rawAnswer,
    );

  it('is made for no strategy that needs a model, and says so', () => {
    const said = "I'm allergic to peanuts.";
    expect(apply('CUSTOM', said)).toMatchObject({ facts: [], skipped: { prompt: 1 } });
    expect(apply('SEMANTIC', said)).toMatchObject({ facts: [{ text: `User said: "I'm allergic to peanuts."` }] });
  });

  it('is made for a strategy of preferences of these only', () => {
    expect(apply('USER_PREFERENCE', 'I work at a bakery in Hue.')).toMatchObject({ facts: [] });
    expect(apply('SEMANTIC', 'I work at a bakery in Hue.').facts).toHaveLength(1);
    expect(apply('USER_PREFERENCE', 'I prefer green tea.').facts).toHaveLength(1);
  });
});
