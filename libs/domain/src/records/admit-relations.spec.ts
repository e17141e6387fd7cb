import { describe, expect, it } from 'vitest';
import { admitted, fact, knownRecord, WINDOW } from '../testing/admission.js';
import type { KnownRecord, RelationKind } from './candidate.js';

const home = (value: string) => ({ name: 'home', value, single: true });

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
    admitted({
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
    expect(admitted({ ...input, candidates: [candidate] }).superseded).toHaveLength(1);
    expect(admitted({ ...input, candidates: [another] }).superseded).toEqual([]);
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
