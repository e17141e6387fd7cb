import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { supersede, supersederOf, type Statement } from './supersede.js';

const said = (recordId: string, value: string, statedAt: string, sequence = 0): Statement => ({
  recordId,
  statedAt,
  sequence,
  slot: { key: 'a|home', value },
});
const DAY_1 = '2026-01-01T12:00:00Z';
const DAY_2 = '2026-01-02T12:00:00Z';

describe('superseding', () => {
  it('ends every earlier statement with another value, by the newest one', () => {
    const statements = [said('1', 'hanoi', DAY_1), said('2', 'hue', DAY_1, 4), said('3', 'vinh', DAY_2)];
    expect(supersede(statements)).toEqual([
      { recordId: '1', by: '3' },
      { recordId: '2', by: '3' },
    ]);
  });

  it('orders statements of the same time by their place in the session, whatever the order they are given in', () => {
    expect(supersede([said('new', 'hue', DAY_1, 7), said('old', 'hanoi', DAY_1, 3)])).toEqual([
      { recordId: 'old', by: 'new' },
    ]);
    expect(supersede([said('old', 'hanoi', DAY_1), said('new', 'hue', DAY_1)])).toEqual([
      { recordId: 'old', by: 'new' },
    ]);
  });

  it('compares instants, not texts', () => {
    const [late, early] = [
      said('late', 'a', '2026-01-01T10:00:00+00:00'),
      said('early', 'b', '2026-01-01T11:00:00+05:00'),
    ];
    expect(supersede([late, early])).toEqual([{ recordId: 'early', by: 'late' }]);
  });

  it('ends no statement without a slot', () => {
    expect(supersede([{ ...said('1', 'a', DAY_1), slot: null }, said('2', 'b', DAY_2)])).toEqual([]);
  });

  it('leaves one value per slot', () => {
    const statement = fc.record({
      value: fc.constantFrom('a', 'b', 'c'),
      day: fc.integer({ min: 1, max: 9 }),
      sequence: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(statement), (list) => {
        const statements = list.map(({ value, day, sequence }, n) =>
          said(String(n), value, `2026-01-0${day}`, sequence),
        );
        const ended = new Set(supersede(statements).map(({ recordId }) => recordId));
        const current = statements.filter(({ recordId }) => !ended.has(recordId));
        expect(new Set(current.map(({ slot }) => slot?.value)).size).toBe(Math.min(1, list.length));
      }),
    );
  });
});

describe('a record that becomes current again', () => {
  it('is superseded by the newest other value that was not stated before it', () => {
    const current = [said('early', 'vinh', DAY_1, 1), said('late', 'hue', DAY_2), said('same', 'hanoi', DAY_2, 9)];
    expect(supersederOf(said('x', 'hanoi', DAY_1, 2), current)?.recordId).toBe('late');
    expect(supersederOf(said('x', 'hanoi', DAY_1, 2), current.slice(0, 1))).toBeUndefined();
    expect(supersederOf(said('x', 'hanoi', DAY_1, 0), current.slice(0, 1))?.recordId).toBe('early');
  });
});
