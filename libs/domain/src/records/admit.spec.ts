import { describe, expect, it } from 'vitest';
import { admit } from './admit.js';
import { type Candidate, type KnownRecord, MAX_RECORD_LENGTH, type WindowMessage } from './candidate.js';
import { slotOf } from './slot.js';

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
  slot: slotOf(record.text),
  saidByUser: true,
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

describe('admit', () => {
  it('accepts a candidate whose quote occurs in the cited event', () => {
    expect(run([fact('User moved to Hue.', 'e1', 'I moved to Hue')]).records).toEqual([
      {
        recordId: 'r0',
        text: 'User moved to Hue.',
        namespace: '/n',
        sources: [{ eventId: 'e1', sequence: 1, role: 'user', quote: 'I moved to Hue' }],
        statedAt: '2023-05-08T12:00:00Z',
        slot: { key: 'user|home', value: 'hue' },
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

describe('contradicting facts', () => {
  const moved = fact('User moved to Hue.', 'e1', 'I moved to Hue');

  it('supersedes an older record with another value for the same slot', () => {
    const { records, superseded } = run([moved], [{ recordId: 'old', text: 'User lives in Hanoi.' }]);
    expect(records).toHaveLength(1);
    expect(superseded).toEqual([{ recordId: 'old', by: 'r0' }]);
  });

  it('stores a statement older than the known one as already superseded', () => {
    const later = { recordId: 'now', text: 'User lives in Hanoi.', statedAt: '2024-01-01T00:00:00Z' };
    expect(run([moved], [later]).superseded).toEqual([{ recordId: 'r0', by: 'now' }]);
  });

  it('leaves a record with the same value unchanged', () => {
    expect(run([moved], [{ recordId: 'same', text: 'User lives in Hue.' }]).superseded).toEqual([]);
  });

  it('keeps facts that can be true together', () => {
    const { superseded } = run(
      [fact('User likes tea.', 'e1', 'I like tea')],
      [{ recordId: 'old', text: 'User likes coffee.' }],
    );
    expect(superseded).toEqual([]);
  });

  it('resolves a contradiction within one answer', () => {
    const window = [
      message('e1', 'I live in Hanoi.', 1),
      { ...message('e2', 'I moved to Hue.', 2), at: '2023-05-09T00:00:00Z' },
    ];
    const { superseded } = run(
      [fact('User moved to Hue.', 'e2', 'I moved to Hue'), fact('User lives in Hanoi.', 'e1', 'I live in Hanoi')],
      [],
      window,
    );
    expect(superseded).toEqual([{ recordId: 'r1', by: 'r0' }]);
  });

  it('counts a confirmation as the newest statement', () => {
    const { superseded } = run(
      [moved],
      [
        { recordId: 'hue', text: 'User moved to Hue.' },
        { recordId: 'hanoi', text: 'User lives in Hanoi.', statedAt: '2023-05-02T00:00:00Z' },
      ],
    );
    expect(superseded).toEqual([{ recordId: 'hanoi', by: 'hue' }]);
  });

  it('keeps two contradicting current records until one of them is stated again', () => {
    const both = [
      { recordId: 'hanoi', text: 'User lives in Hanoi.' },
      { recordId: 'hue', text: 'User lives in Hue.', statedAt: '2023-05-02T00:00:00Z' },
    ];
    const invented = run([fact('User lives in Paris.', 'e1', 'I live in Paris')], both);
    expect(invented.refused.map(({ reason }) => reason)).toEqual(['quote_not_in_event']);
    expect(invented.superseded).toEqual([]);
    const again = run([fact('User lives in Hue.', 'e1', 'I moved to Hue')], both);
    expect(again.superseded).toEqual([{ recordId: 'hanoi', by: 'hue' }]);
  });
});

describe('echoes', () => {
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

    it('does not make a repetition by the agent a statement of the user', () => {
      const repeated = { ...message('a', 'You moved to Hue.', 4), role: 'assistant' };
      const candidate = {
        text: moved.text,
        sources: [{ eventId: 'a', quote: 'You moved to Hue.' }, context('e1', 'I moved to Hue.')],
      };
      const { refused } = run([candidate], [{ recordId: 'known', text: moved.text }], [...window, repeated]);
      expect(refused.map(({ reason }) => reason)).toEqual(['echo']);
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

  it('refuses what the agent repeats from the user', () => {
    const { confirmed, refused } = run(
      [fact('User lives in Hue.', 'a1', 'You live in Hue')],
      [{ recordId: 'known', text: 'User lives in Hue.' }],
      [agentSays('You live in Hue, right?')],
    );
    expect(confirmed).toEqual([]);
    expect(refused).toEqual([{ text: 'User lives in Hue.', reason: 'echo' }]);
  });

  it('refuses a repetition in other words if it fills the same slot', () => {
    const { records, refused } = run(
      [fact('User lives in Hue.', 'a1', 'You live in Hue')],
      [{ recordId: 'known', text: 'User moved to Hue.' }],
      [agentSays('You live in Hue, right?')],
    );
    expect(records).toEqual([]);
    expect(refused[0]?.reason).toBe('echo');
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
  const tea = knownRecord({ recordId: 'tea', text: 'User enjoys a cup of tea at noon.' });
  const gym = knownRecord({ recordId: 'gym', text: 'User is a member of the Ironworks.' });
  const related = (kind: 'same' | 'replaces', recordId: string | null, shown = ['tea', 'gym']) =>
    admit({
      candidates: [{ ...fact('User drinks tea at lunch.', 'e2', 'I really like tea'), relation: { kind, recordId } }],
      window: WINDOW,
      known: [tea, gym],
      shown,
      namespace: '/n',
      newId: (index: number) => `r${index}`,
    });

  it('add a source to the record that says the same in other words', () => {
    const { records, confirmed, unknownRelations } = related('same', 'tea');
    expect(records).toEqual([]);
    expect(confirmed).toMatchObject([{ recordId: 'tea', sources: [{ eventId: 'e2' }] }]);
    expect(unknownRelations).toBe(0);
  });

  it('supersede the record that is no longer true', () => {
    const { records, superseded } = related('replaces', 'gym');
    expect(records).toHaveLength(1);
    expect(superseded).toEqual([{ recordId: 'gym', by: 'r0' }]);
  });

  it.each([
    ['a record that it was not shown', 'gym', ['tea']],
    ['a record of another namespace', 'elsewhere', ['tea', 'gym']],
    ['no record at all', null, ['tea', 'gym']],
    ['a record that is gone since', 'gone', ['gone']],
  ])('change nothing and are counted if they name %s', (_, recordId, shown) => {
    for (const kind of ['same', 'replaces'] as const) {
      const admission = related(kind, recordId, shown);
      expect(admission).toMatchObject({ confirmed: [], superseded: [], unknownRelations: 1 });
      expect(admission.records).toHaveLength(1);
    }
  });

  it('replace nothing that was stated later', () => {
    const late = { ...gym, statedAt: '2024-01-01T00:00:00Z' };
    const { superseded } = admit({
      candidates: [{ ...fact('User quit.', 'e2', 'I really'), relation: { kind: 'replaces', recordId: 'gym' } }],
      window: WINDOW,
      known: [late],
      shown: ['gym'],
      namespace: '/n',
      newId: String,
    });
    expect(superseded).toEqual([]);
  });
});

describe('other rules of admission', () => {
  it('adds a source if the same slot has the same value', () => {
    const known = [{ recordId: 'home', text: 'User lives in Hue.' }];
    const { records, confirmed } = run([fact('User moved to Hue.', 'e1', 'I moved to Hue')], known);
    expect(records).toEqual([]);
    expect(confirmed).toMatchObject([{ recordId: 'home' }]);
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
