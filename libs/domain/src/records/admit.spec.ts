import { describe, expect, it } from 'vitest';
import { fact, message, run } from '../testing/admission.js';
import type { KnownRecord } from './candidate.js';
import { MAX_RECORD_LENGTH } from './clean-text.js';

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

describe('other rules of admission', () => {
  it('accepts an answer of one character', () => {
    const window = [message('e', '5.', 2), message('f', '是', 3)];
    expect(run([fact('Seats: 5.', 'e', '5'), fact('用户同意', 'f', '是')], [], window).records).toHaveLength(2);
  });

  it('keeps valid event times, and drops invalid ones', () => {
    const dated = (from: string) => ({ ...fact('User moved.', 'e1', 'I moved'), eventTime: { from, to: null } });
    expect(run([dated('2023-05-01')]).records).toMatchObject([{ eventTime: { from: '2023-05-01', to: null } }]);
    expect(run([dated('2023-02-31')]).records[0]).not.toHaveProperty('eventTime');
  });
});
