import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate, StrategyType, WindowMessage } from '@turnkeeper/domain';
import { notesIn } from './notes.js';
import { NotesExtractor } from './notes-extractor.js';

const SPEAKER = '(?:User|Agent|Maya)';
const DAY = String.raw`\d{1,2} [A-Z][a-z]+ \d{4}`;
/** What may stand around the quotes, which are `⟦⟧` here. */
const NOTE = new RegExp(
  `^(?:After ${SPEAKER} said ⟦⟧, )?(?:[Aa]sked ⟦⟧, )?${SPEAKER} said: ⟦⟧(?: ⟦⟧)*(?: ${SPEAKER} said: ⟦⟧)?(?: \\(said on ${DAY}\\))?$`,
  'u',
);
const SECTIONS = `(?:(?:Asked for|Told|Done or promised|Left open): ⟦⟧ \\(${SPEAKER}\\)(?:, ⟦⟧ \\(${SPEAKER}\\))*\\.[ \\n]?)+`;
const EPISODE = new RegExp(
  `^Session on ${DAY} with ${SPEAKER}(?:, ${SPEAKER})?(?: and ${SPEAKER})?\\. ${SECTIONS}$`,
  'u',
);
const SUMMARY = new RegExp(`^${SECTIONS}$`, 'u');

/** The text with `⟦⟧` for each of the given passages in quotation marks, the longest first. */
const withoutQuotes = (text: string, quotes: readonly string[]): string =>
  [...new Set(quotes)]
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, quote) => rest.replaceAll(quote.includes('"') ? `“${quote}”` : `"${quote}"`, '⟦⟧'), text);

const PIECES = [
  ...['I ', "I'm ", 'my number is ', 'double five ', '4471 ', 'Hue', 'please ', 'yes ', 'no ', 'tomorrow ', 'May 3rd '],
  ...[
    'Could you give me your name?',
    'What is your policy number? ',
    'booked for Friday at 10',
    "I've opened claim 88 ",
    'I love green tea. ',
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
const exchange = (
  [
    ['assistant', 'Shall I set a reminder for the dentist?'],
    ['user', 'Yes, do that.'],
    ['assistant', 'Done, the reminder has been added.'],
  ] as const
).map(([role, content]) => ({ role, speaker: null, content }));
const messages = fc
  .tuple(
    fc.array(
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'tool', 'x'),
        speaker: fc.constantFrom(null, 'Maya'),
        content,
      }),
      {
        maxLength: 8,
      },
    ),
    fc.boolean(),
  )
  .map(([list, withExchange]): WindowMessage[] =>
    [...list, ...(withExchange ? exchange : [])].map((message, index) => ({
      ...message,
      eventId: `e${index}`,
      sequence: index + 1,
      at: '2023-05-10T12:00:00Z',
      source: null,
    })),
  );

const inputOf = (strategyType: StrategyType, all: readonly WindowMessage[], before: number) => ({
  ...{ tenantId: 't', strategyType, strategyVersion: 1, customPrompt: null },
  ...{ context: all.slice(0, before), messages: all.slice(before) },
});
const answerOf = (...input: Parameters<typeof inputOf>): { facts: Candidate[]; summary?: string | null } =>
  JSON.parse(new NotesExtractor().apply(inputOf(...input)).rawAnswer);

describe('a note', () => {
  it.each([
    ['SEMANTIC', NOTE],
    ['USER_PREFERENCE', NOTE],
    ['EPISODIC', EPISODE],
  ] as const)(
    'of %s is a frame with contiguous quotes of the messages that it cites',
    (strategyType, frame) => {
      let made = 0;
      let outcomes = 0;
      fc.assert(
        fc.property(messages, fc.nat({ max: 4 }), (all, before) => {
          const contents = new Map(all.map(({ eventId, content }) => [eventId, content]));
          for (const { text, sources } of answerOf(strategyType, all, before).facts) {
            made += 1;
            for (const { eventId, quote } of sources) expect(contents.get(eventId)).toContain(quote);
            const rest = withoutQuotes(
              text,
              sources.map(({ quote }) => quote),
            );
            expect(rest).toMatch(frame);
            if (/⟦⟧ Agent said: ⟦⟧/.test(rest)) outcomes += 1;
          }
        }),
        { numRuns: 1_500, seed: 7 },
      );
      expect(made).toBeGreaterThan(15);
      if (strategyType === 'SEMANTIC') expect(outcomes).toBeGreaterThan(0);
    },
    120_000,
  );

  it('of a summary is a heading with contiguous quotes of the messages', () => {
    fc.assert(
      fc.property(messages, fc.nat({ max: 4 }), (all, before) => {
        const { summary } = answerOf('SUMMARY', all, before);
        if (summary == null) return;
        const { notes } = notesIn(all.slice(before), all.slice(0, before));
        const quotes = notes.flatMap(({ note: { said } }) => said);
        for (const { message, text } of quotes) expect(message.content).toContain(text);
        expect(
          withoutQuotes(
            summary,
            quotes.map(({ text }) => text),
          ),
        ).toMatch(SUMMARY);
      }),
      { numRuns: 1_500, seed: 7 },
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
