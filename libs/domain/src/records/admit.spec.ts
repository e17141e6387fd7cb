import { describe, expect, it } from 'vitest';
import { admit } from './admit.js';
import type { Candidate, KnownRecord, WindowMessage } from './candidate.js';
import { MAX_RECORD_LENGTH } from './clean-text.js';
import type { RelationKind } from './candidate.js';

const message = (eventId: string, content: string, sequence = 1): WindowMessage => ({
  eventId,
  sequence,
  role: 'user',
  speaker: null,
  content,
  at: '2023-05-08T12:00:00Z',
  source: null,
});
const WINDOW = [message('e1', 'I moved to Hue. 🌊 I like tea.', 1), message('e2', 'I really like tea.', 2)];

const knownRecord = (record: { recordId: string; text: string } & Partial<KnownRecord>): KnownRecord => ({
  statedAt: '2023-05-01T00:00:00Z',
  slot: null,
  ...record,
});
const run = (
  candidates: readonly Candidate[],
  known: ({ recordId: string; text: string } & Partial<KnownRecord>)[] = [],
  window: readonly WindowMessage[] = WINDOW,
  context: readonly WindowMessage[] = [],
) =>
  admit({ candidates, window, context, known: known.map(knownRecord), namespace: '/n', newId: (index) => `r${index}` });
const fact = (text: string, eventId: string, quote: string): Candidate => ({ text, sources: [{ eventId, quote }] });
const home = (value: string) => ({ name: 'home', value, single: true });
const livesIn = (recordId: string, city: string, more: Partial<KnownRecord> = {}) => ({
  recordId,
  text: `User lives in ${city}.`,
  slot: { key: 'actor|home', value: city.toLowerCase() },
  ...more,
});

describe('admit', () => {
  it('accepts a candidate whose quote occurs in the cited event', () => {
    expect(run([fact('User moved to Hue.', 'e1', 'I moved to Hue')]).records).toEqual([
      {
        recordId: 'r0',
        text: 'User moved to Hue.',
        namespace: '/n',
        sources: [{ eventId: 'e1', sequence: 1, role: 'user', quote: 'I moved to Hue' }],
        statedAt: '2023-05-08T12:00:00Z',
        slot: null,
      },
    ]);
  });

  it.each([
    ['an event outside of the window', fact('User moved.', 'e9', 'I moved'), 'unknown_event'],
    ['an invented quote', fact('User moved.', 'e1', 'I never moved'), 'quote_not_in_event'],
    ['a quote from another message', fact('User moved.', 'e2', 'I moved to Hue'), 'quote_not_in_event'],
    ['an empty quote', fact('User moved.', 'e1', ' '), 'quote_not_in_event'],
    ['a quote of one letter', fact('User moved to Paris.', 'e1', 'o'), 'quote_does_not_carry'],
    ['a quote of one letter and a space', fact('User moved to Paris.', 'e1', 'I '), 'quote_does_not_carry'],
    ['no source', { text: 'User moved.', sources: [] }, 'empty'],
    ['a text of punctuation', fact(' …! ', 'e1', 'I moved'), 'empty'],
    ['a text that is too long', fact('x'.repeat(MAX_RECORD_LENGTH + 1), 'e1', 'I moved'), 'too_long'],
    ['a NUL in the text', fact('User\0 moved.', 'e1', 'I moved'), 'not_text'],
    ['half a character in the text', fact('User moved \uD83C.', 'e1', 'I moved'), 'not_text'],
    ['a quote that ends within an emoji', fact('User moved.', 'e1', 'Hue. \uD83C'), 'not_text'],
  ])('refuses %s', (_, candidate, reason) => {
    const { records, refused } = run([candidate]);
    expect(records).toEqual([]);
    expect(refused.map((one) => one.reason)).toEqual([reason]);
    expect(refused[0]?.text).not.toMatch(/[\0\p{Cs}]/u);
  });

  it('refuses a candidate if one of its sources is invalid', () => {
    const mixed = {
      text: 'User likes tea.',
      sources: [
        { eventId: 'e1', quote: 'I like tea' },
        { eventId: 'e2', quote: 'I hate tea' },
      ],
    };
    expect(run([mixed])).toMatchObject({ records: [], refused: [{ reason: 'quote_not_in_event' }] });
  });

  it('creates one record with two sources if the answer contains a fact twice', () => {
    const twice = [fact('User likes tea.', 'e1', 'I like tea'), fact('user likes  TEA', 'e2', 'I really like tea')];
    const { records } = run(twice);
    expect(records.map(({ recordId, sources }) => [recordId, sources.map(({ eventId }) => eventId)])).toEqual([
      ['r0', ['e1', 'e2']],
    ]);
  });

  it('adds the source to a record that already exists in the namespace', () => {
    const { records, confirmed } = run(
      [fact('User likes tea.', 'e2', 'I really like tea')],
      [{ recordId: 'old', text: 'user likes tea' }],
    );
    expect(records).toEqual([]);
    expect(confirmed).toEqual([
      {
        recordId: 'old',
        sources: [{ eventId: 'e2', sequence: 2, role: 'user', quote: 'I really like tea' }],
        statedAt: '2023-05-08T12:00:00Z',
      },
    ]);
  });
});

describe('an attribute of which one value is current', () => {
  const moved = { ...fact('User moved to Hue.', 'e1', 'I moved to Hue'), attribute: home('Hue') };

  it('is stored with its record, under a normal name', () => {
    const attribute = { name: ' Home-City ', value: ' Hue ', single: true };
    const [record] = run([
      { ...moved, attribute, category: 'fact', subject: ' Hue  Moved ', strength: 'weak' },
    ]).records;
    expect(record).toMatchObject({
      attribute: { name: 'home_city', value: 'Hue', single: true },
      category: 'fact',
      subject: 'Hue Moved',
      strength: 'weak',
      slot: { key: 'hue moved|home_city', value: 'hue' },
    });
  });

  it.each([
    ['without a name', { name: ' - ', value: 'x', single: true }],
    ['with a long name', { name: 'x'.repeat(61), value: 'x', single: true }],
    ['without a value', { name: 'home', value: ' ', single: true }],
    ['with a long value', { name: 'home', value: 'x'.repeat(501), single: true }],
  ])('is left out %s', (_, attribute) => {
    expect(run([{ ...moved, attribute }]).records[0]).not.toHaveProperty('attribute');
  });

  it('is not stored if its value is secret', () => {
    const attribute = { name: 'pin', value: '4711', single: true };
    expect(run([{ ...moved, attribute }]).refused).toEqual([{ text: '', reason: 'secret' }]);
  });

  it('supersedes an older record with another value', () => {
    const { records, superseded } = run([moved], [livesIn('old', 'Hanoi')]);
    expect(records).toHaveLength(1);
    expect(superseded).toEqual([{ recordId: 'old', by: 'r0' }]);
  });

  it('keeps both values if the fact tells of another one, or of another person', () => {
    const known = [livesIn('old', 'Hanoi')];
    expect(run([{ ...moved, attribute: { ...home('Hue'), single: false } }], known).superseded).toEqual([]);
    expect(run([{ ...moved, subject: 'Linh' }], known).superseded).toEqual([]);
  });

  it('stores a statement older than the known one as already superseded', () => {
    const later = livesIn('now', 'Hanoi', { statedAt: '2024-01-01T00:00:00Z' });
    expect(run([moved], [later]).superseded).toEqual([{ recordId: 'r0', by: 'now' }]);
  });

  it('adds a source to the record with the same value', () => {
    const { records, confirmed, superseded } = run([moved], [livesIn('same', 'Hue')]);
    expect(records).toEqual([]);
    expect(confirmed).toMatchObject([{ recordId: 'same' }]);
    expect(superseded).toEqual([]);
  });

  it('keeps another fact with the same value, from the same answer or a later one', () => {
    const asked = { ...fact('User asked for a parcel to be sent there, to Hue.', 'e1', 'Hue'), attribute: home('Hue') };
    expect(run([moved, asked]).records).toHaveLength(2);
    expect(run([asked], [livesIn('same', 'Hue')])).toMatchObject({ records: [{ recordId: 'r0' }], confirmed: [] });
  });

  it('keeps facts without an attribute beside each other', () => {
    const { superseded } = run(
      [fact('User likes tea.', 'e1', 'I like tea')],
      [{ recordId: 'old', text: 'User likes coffee.' }],
    );
    expect(superseded).toEqual([]);
  });

  it('has its last value of an answer, also among messages of the same time', () => {
    const window = [message('e1', 'I live in Hanoi.', 1), message('e2', 'I moved to Hue.', 2)];
    const candidates = [
      { ...fact('User moved to Hue.', 'e2', 'I moved to Hue'), attribute: home('Hue') },
      { ...fact('User lives in Hanoi.', 'e1', 'I live in Hanoi'), attribute: home('Hanoi') },
    ];
    expect(run(candidates, [], window).superseded).toEqual([{ recordId: 'r1', by: 'r0' }]);
  });

  it('keeps a withdrawn supersession withdrawn when one of the two records is stated again', () => {
    const both = [livesIn('hanoi', 'Hanoi'), livesIn('hue', 'Hue', { statedAt: '2023-05-02T00:00:00Z' })];
    const { confirmed, superseded } = run([moved], both);
    expect(confirmed.map(({ recordId }) => recordId)).toEqual(['hue']);
    expect(superseded).toEqual([]);
  });
});

describe('what cannot be verified', () => {
  const doubtsOf = (text: string, said: string, more: Partial<Candidate> = {}) => {
    const admission = run([{ ...fact(text, 'x', said), ...more }], [], [message('x', said)]);
    return admission.records[0]?.doubts ?? admission.refused[0]?.reason ?? 'none';
  };

  it.each([
    ['Rent is 1200 euros.', 'my rent is 1,200 euros'],
    ['Number is NG44712.', 'it is 4 4 7 1 2'],
    ['Number is 4 4 7 1 2.', 'it is 44712'],
    ['Ends in 4 7 1 2.', 'it is 44712'],
    ['Has 2 cats, 3 dogs, 4 birds and 5 fish.', '2 cats, 3 dogs, then 4 birds, and 5 fish'],
    ['Number is 0170 5551234.', '0 1 7 0, 5 5 5, 1 2 3 4'],
    ['Was born in 1985.', "I was born in '85"],
    ['Is 12.', '我今年１２岁'],
    ['Is 12.', 'عمري ١٢ سنة'],
    ['Moved on 8/05/2023.', 'I moved today'],
    ['Eats at 19:30.', 'we eat at 7.30'],
    ['Moved to New York City.', 'we moved to nyc'],
    ['Works for NYC.', 'I work for n y c'],
    ['Speaks Español at home.', 'we speak espanol'],
    ['Session with User and Agent. They spoke.', 'we spoke'],
  ])('"%s" follows from "%s"', (text, said) => expect(doubtsOf(text, said)).toBe('none'));

  it('is proven by the time of the event', () => {
    const eventTime = { from: '2023-05-20', to: '2023-05-21' };
    expect(doubtsOf('Travels 20-21/05/2023.', 'I travel in a fortnight', { eventTime })).toBe('none');
  });

  it('is no date that stands in another message', () => {
    const window = [message('y', 'See you on 2023-06-21.', 1), message('x', 'Remind me by text', 2)];
    const doubts = (text: string) => run([fact(text, 'x', 'Remind me by text')], [], window).records[0]?.doubts;
    expect(doubts('Wants a reminder of 2023-06-21 by text.')).toBeUndefined();
    expect(doubts('Wants a reminder of 2023-06-22 by text.')).toEqual(['number_not_in_source']);
    expect(doubts('Wants a reminder of 21 visits by text.')).toEqual(['number_not_in_source']);
  });

  it.each([
    ['Has 3 brothers.', 'I have two brothers', ['number_not_in_source']],
    ['Eats at 19:30.', 'we eat at 8.30', ['number_not_in_source']],
    ['Has 19 cats.', 'we have 7 cats', ['number_not_in_source']],
    ['Pays 360 euros a year.', 'I pay 30 euros a month', ['number_not_in_source']],
    ['Lives with Bob in a flat of Anna.', 'I live with Bob', ['name_not_in_source']],
  ])('"%s" from "%s" is kept, and marked', (text, said, doubts) => expect(doubtsOf(text, said)).toEqual(doubts));

  it.each([
    ['Is 54.', 'I am 45'],
    ['Has 3 brothers.', 'I have 2 brothers'],
    ['Number is 44721.', 'it is 44712'],
    ['Number is 7 4 1 2.', 'it is 7 7 4 1 1 2'],
    ['Number is 7-4-1-2.', 'it is 774112'],
    ['Number is 7412.', 'it is 7 7 4 1 1 2'],
    ['Policy is N G 4 4 1 2 B.', 'it is N G 4 4 7 1 2 B'],
    ['Policy is NG44721B.', 'it is N G 4 4 7 1 2 B'],
  ])('"%s" is refused if the quote has another number: "%s"', (text, said) =>
    expect(doubtsOf(text, said)).toBe('number_contradicts_source'),
  );

  it('is a name that stands nowhere: not in the window, its context, the listed records or the speakers', () => {
    const [listed] = [{ recordId: 'k', text: 'User has a dog called Rex.' }];
    const window = [{ ...message('x', 'He likes tea.', 2), speaker: 'Linh' }];
    const before = [message('c', 'Bob came along.', 1)];
    const doubts = (text: string, shown: string[]) =>
      admit({
        candidates: [fact(text, 'x', 'He likes tea')],
        window,
        context: before,
        known: [knownRecord(listed!)],
        summary: 'Zoe called.',
        shown,
        namespace: '/',
        newId: String,
      }).records[0]?.doubts;
    expect(doubts('Tea is what they like best, I mean Bob and Linh and Rex and Zoe.', ['k'])).toBeUndefined();
    expect(doubts('Tea is what they like best, I mean Bob and Linh and Rex.', [])).toEqual(['name_not_in_source']);
  });

  it('is asked of a reader of words where digits do not settle it', () => {
    const readNumbers = (text: string) => ({
      numbers: text.includes('eighty one') || text.includes('81') ? ['81'] : [],
      also: [],
      days: [],
      dates: [],
    });
    const window = [message('x', 'I am eighty one')];
    const candidates = [fact('Is 81.', 'x', 'I am eighty one')];
    const input = { candidates, window, known: [], namespace: '/', newId: String };
    expect(admit(input).records[0]?.doubts).toEqual(['number_not_in_source']);
    expect(admit({ ...input, readNumbers }).records[0]?.doubts).toBeUndefined();
  });

  it('takes time linear in the length of the text', { timeout: 60_000 }, () => {
    const started = process.cpuUsage();
    for (const unit of ['1,', '1 ', 'A ', "A's ", 'may 1 ', '2026-01-', '(A "B ']) {
      const said = message('x', unit.repeat(50_000));
      const candidates = Array.from({ length: 5 }, (_, n) =>
        fact(`${n} ${unit.repeat(8_000).slice(0, 15_000)}`, 'x', unit.repeat(40_000)),
      );
      admit({ candidates, window: [said], known: [], namespace: '/', newId: String });
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(10_000);
  });
});

describe('statements and their context', () => {
  const agentSays = (content: string): WindowMessage => ({ ...message('a1', content), role: 'assistant' });

  describe('context of a statement', () => {
    const asked = { ...message('q', 'Where did you move, to Hue?', 1), role: 'assistant', at: '2023-05-08T11:00:00Z' };
    const added = { ...message('later', 'Hue is so green.', 3), at: '2023-05-08T13:00:00Z' };
    const window = [asked, message('e1', 'I moved to Hue.', 2), added];
    const context = (eventId: string, quote: string) => ({ eventId, quote, context: true });
    const moved = fact('User moved to Hue.', 'e1', 'I moved to Hue');

    it('is stored as such and does not change when the fact was stated', () => {
      const cited = [
        ...moved.sources,
        context('q', 'Where did you move, to Hue?'),
        context('later', 'Hue is so green.'),
      ];
      const { records } = run([{ ...moved, sources: cited }], [], window);
      expect(records[0]?.sources.map(({ eventId, context: marked }) => [eventId, marked ?? false])).toEqual([
        ['e1', false],
        ['q', true],
        ['later', true],
      ]);
      expect(records[0]?.statedAt).toBe('2023-05-08T12:00:00Z');
    });

    describe('said in a later window', () => {
      const later = [message('later', 'Hue is so green.', 5)];
      const cited = { ...moved, sources: [...moved.sources, context('later', 'Hue is so green.')] };

      it('is added to the record, which is not stated again', () => {
        const stated = { recordId: 'known', text: moved.text, statedAt: '2023-05-08T12:00:00Z' };
        const { continued, ...rest } = run([cited], [stated], later, WINDOW);
        const [source] = [{ eventId: 'later', sequence: 5, role: 'user', quote: 'Hue is so green.', context: true }];
        expect(continued).toEqual([{ recordId: 'known', sources: [source] }]);
        expect(rest).toEqual({ records: [], confirmed: [], superseded: [], refused: [], unknownRelations: 0 });
      });

      it('does not restore a withdrawn supersession', () => {
        const [older, newer] = ['User lives in Oslo.', moved.text].map((text, index) => ({
          recordId: `known${index}`,
          text,
          statedAt: `2023-05-0${index + 1}T12:00:00Z`,
        }));
        expect(run([cited], [older!, newer!], later, WINDOW).superseded).toEqual([]);
        expect(run([cited], [older!, newer!]).superseded).toEqual([]);
      });

      it('is ignored if there is no such record', () => {
        const { continued, records, refused } = run([cited], [], later, WINDOW);
        expect({ continued, records, refused }).toEqual({ continued: undefined, records: [], refused: [] });
      });
    });

    it('carries no fact alone', () => {
      const { records, refused } = run([{ ...moved, sources: [context('later', 'Hue is so green.')] }], [], window);
      expect([records, refused.map(({ reason }) => reason)]).toEqual([[], ['quote_does_not_carry']]);
    });

    it('becomes a statement if another fact of the answer is stated by the same words', () => {
      const first = {
        ...moved,
        sources: [{ eventId: 'later', quote: 'Hue is so green.' }, context('e1', 'I moved to Hue')],
      };
      expect(run([first, moved], [], window).records[0]?.sources.map(({ context: marked }) => marked ?? false)).toEqual(
        [false, false],
      );
    });
  });

  it('accepts new statements by the agent', () => {
    const { records } = run(
      [fact('The depot opens at nine.', 'a1', 'opens at nine')],
      [],
      [agentSays('The depot opens at nine.')],
    );
    expect(records).toHaveLength(1);
  });

  it('accepts the same statement from the user as new evidence', () => {
    const { confirmed } = run(
      [fact('User moved to Hue.', 'e1', 'I moved to Hue')],
      [{ recordId: 'known', text: 'User moved to Hue.' }],
    );
    expect(confirmed).toHaveLength(1);
  });

  describe('with messages before the window', () => {
    const question = { ...message('e0', 'Where do you live now?', 0), role: 'assistant' };
    const answer = message('e3', 'In Hue since May.', 3);
    const inHue = (...sources: Candidate['sources']) =>
      run(
        [{ text: 'Asked "Where do you live now?", user answered "In Hue since May".', sources }],
        [],
        [answer],
        [question],
      );
    const cited = { eventId: 'e0', quote: 'Where do you live now?' };

    it('accepts a fact of the window that also uses one of them, and cites both', () => {
      const { records } = inHue({ eventId: 'e3', quote: 'In Hue since May' }, cited);
      expect(records[0]?.sources.map(({ eventId, role }) => [eventId, role])).toEqual([
        ['e3', 'user'],
        ['e0', 'assistant'],
      ]);
    });

    it('refuses a fact based on them alone, because they were already read', () => {
      expect(inHue(cited).refused.map(({ reason }) => reason)).toEqual(['only_context']);
    });

    it('requires verbatim quotes from them as well', () => {
      const { refused } = inHue({ eventId: 'e3', quote: 'In Hue' }, { eventId: 'e0', quote: 'Where did you live?' });
      expect(refused.map(({ reason }) => reason)).toEqual(['quote_not_in_event']);
    });
  });
});

describe('relations to existing records', () => {
  const tea = knownRecord({ recordId: 'tea', text: 'User enjoys tea.' });
  const gym = knownRecord({ recordId: 'gym', text: 'User is a member of the Ironworks.' });
  const related = (
    relations: readonly (readonly [RelationKind, string | null])[],
    { text = 'User drinks it at lunch.', shown = ['tea', 'gym'], known = [tea, gym], ...more } = {} as {
      text?: string;
      shown?: string[];
      known?: KnownRecord[];
      subject?: string;
    },
  ) =>
    admit({
      candidates: [
        {
          ...fact(text, 'e2', 'I really like tea'),
          ...more,
          relations: relations.map(([kind, recordId]) => ({ kind, recordId })),
        },
      ],
      window: WINDOW,
      known,
      shown,
      namespace: '/n',
      newId: (index: number) => `r${index}`,
    });

  it.each(['same', 'extends'] as const)('add a source to the record that says the same in other words (%s)', (kind) => {
    const { records, confirmed, unknownRelations } = related([[kind, 'tea']]);
    expect(records).toEqual([]);
    expect(confirmed).toMatchObject([{ recordId: 'tea', sources: [{ eventId: 'e2' }] }]);
    expect(unknownRelations).toBe(0);
  });

  it.each(['same', 'extends'] as const)('keep the richer text (%s)', (kind) => {
    const { records, confirmed, superseded } = related([[kind, 'tea']], { text: 'User enjoys tea at noon.' });
    expect(records).toMatchObject([{ text: 'User enjoys tea at noon.' }]);
    expect(confirmed).toEqual([]);
    expect(superseded).toEqual([{ recordId: 'tea', by: 'r0' }]);
  });

  it('do not make an event in the past newer', () => {
    const eventTime = { from: '2023-04-01', to: '2023-04-01' };
    const known = [{ ...tea, eventTime }];
    expect(related([['same', 'tea']], { known }).confirmed[0]?.statedAt).toBe(tea.statedAt);
    const [richer] = related([['same', 'tea']], { known, text: 'User enjoys tea at noon.' }).records;
    expect(richer?.statedAt).toBe(tea.statedAt);
  });

  it.each(['replaces', 'ends'] as const)('supersede the record that is no longer true (%s)', (kind) => {
    const { records, superseded } = related([[kind, 'gym']]);
    expect(records).toHaveLength(1);
    expect(superseded).toEqual([{ recordId: 'gym', by: 'r0' }]);
  });

  it('can be several', () => {
    expect(
      related([
        ['ends', 'gym'],
        ['replaces', 'tea'],
      ]).superseded.map(({ recordId }) => recordId),
    ).toEqual(['gym', 'tea']);
  });

  it('keep both records if the fact tells of another occasion', () => {
    const slot = { key: 'actor|home', value: 'oslo' };
    const candidate = { ...fact('User moved to Hue.', 'e1', 'I moved to Hue'), attribute: home('Hue') };
    const input = { window: WINDOW, known: [{ ...tea, slot }], shown: ['tea'], namespace: '/', newId: String };
    const another = { ...candidate, relations: [{ kind: 'another' as const, recordId: 'tea' }] };
    expect(admit({ ...input, candidates: [candidate] }).superseded).toHaveLength(1);
    expect(admit({ ...input, candidates: [another] }).superseded).toEqual([]);
  });

  it('are ignored and counted if they are about another person', () => {
    const his = { ...tea, subject: 'Bob' };
    const text = 'User moved to Hue.';
    expect(related([['replaces', 'tea']], { known: [his], text })).toMatchObject({
      superseded: [],
      unknownRelations: 1,
    });
    const subject = 'Hue';
    expect(related([['replaces', 'tea']], { subject })).toMatchObject({ superseded: [], unknownRelations: 1 });
    // Records of earlier releases have no subject, but name the person.
    const named = { ...tea, text: 'Hue enjoys tea.' };
    expect(related([['replaces', 'tea']], { known: [named], subject }).superseded).toHaveLength(1);
  });

  it.each([
    ['a record that it was not shown', 'gym', ['tea']],
    ['a record of another namespace', 'elsewhere', ['tea', 'gym']],
    ['no record at all', null, ['tea', 'gym']],
    ['a record that is gone since', 'gone', ['gone']],
  ])('change nothing and are counted if they name %s', (_, recordId, shown) => {
    for (const kind of ['same', 'replaces'] as const) {
      const admission = related([[kind, recordId]], { shown });
      expect(admission).toMatchObject({ confirmed: [], superseded: [], unknownRelations: 1 });
      expect(admission.records).toHaveLength(1);
    }
  });

  it('replace nothing that was stated later', () => {
    const late = { ...gym, statedAt: '2024-01-01T00:00:00Z' };
    expect(related([['replaces', 'gym']], { known: [late] }).superseded).toEqual([]);
  });
});

describe('other rules of admission', () => {
  it('refuses the answer to a question for a secret', () => {
    const asked = { ...message('q', 'What is your memorable word?', 1), role: 'assistant' };
    const input = {
      candidates: [fact('Word is bluebird.', 'e', 'it is bluebird'), fact('Likes tea.', 'e2', 'I like tea')],
      window: [asked, message('e', 'it is bluebird', 2), message('e2', 'And I like tea', 3)],
      known: [],
      namespace: '/',
      newId: String,
    };
    const { records, refused } = admit({ ...input, asksForSecret: (text) => text.includes('memorable') });
    expect(refused).toEqual([{ text: '', reason: 'secret' }]);
    expect(records.map(({ text }) => text)).toEqual(['Likes tea.']);
  });

  it('accepts an answer of one character', () => {
    const window = [message('e', '5.', 2), message('f', '是', 3)];
    expect(run([fact('Seats: 5.', 'e', '5'), fact('用户同意', 'f', '是')], [], window).records).toHaveLength(2);
  });

  it('keeps what is said after an agent that only mentions a secret', () => {
    const warned = { ...message('e0', 'Never tell us your PIN. Where do you live now?', 1), role: 'assistant' };
    const window = [warned, message('e1', 'At 40 Quay Street.', 2)];
    expect(run([fact('User lives at 40 Quay Street.', 'e1', 'At 40 Quay Street')], [], window).refused).toEqual([]);
  });

  it('keeps the answer to another question beside it, without digits', () => {
    const asked = { ...message('e0', 'May I have your name? And your PIN?', 1), role: 'assistant' };
    const window = [asked, message('e1', 'Deva, 4 4 7 2', 2)];
    const { records, refused } = run(
      [fact("User's name is Deva.", 'e1', 'Deva'), fact('User said 4472.', 'e1', '4 4 7 2')],
      [],
      window,
    );
    expect(records.map(({ text }) => text)).toEqual(["User's name is Deva."]);
    expect(refused).toEqual([{ text: '', reason: 'secret' }]);
  });

  it('leaves out context that is secret, because the fact does not rest on it', () => {
    const window = [message('e1', 'I moved to Hue.', 1), message('e2', 'My PIN is 4711.', 2)];
    const context = { eventId: 'e2', quote: 'My PIN is 4711.', context: true };
    const { text, sources } = fact('User moved to Hue.', 'e1', 'I moved to Hue.');
    const { records, refused } = run([{ text, sources: [...sources, context] }], [], window);
    expect(refused).toEqual([]);
    expect(records.map(({ sources: kept }) => kept.map(({ eventId }) => eventId))).toEqual([['e1']]);
  });

  it('refuses secrets, and does not repeat them', () => {
    const window = [message('e1', 'My PIN is 4821.')];
    const { records, refused } = run([fact('User has a PIN.', 'e1', 'My PIN is 4821.')], [], window);
    expect(records).toEqual([]);
    expect(refused).toEqual([{ text: '', reason: 'secret' }]);
  });

  it('keeps valid event times, and drops invalid ones', () => {
    const dated = (from: string) => ({ ...fact('User moved.', 'e1', 'I moved'), eventTime: { from, to: null } });
    expect(run([dated('2023-05-01')]).records).toMatchObject([{ eventTime: { from: '2023-05-01', to: null } }]);
    expect(run([dated('2023-02-31')]).records[0]).not.toHaveProperty('eventTime');
  });
});
