import { describe, expect, it } from 'vitest';
import { InvalidCursor } from './cursor.js';
import { boundedListResponse, cursorOfParts, listResponse, partsOfCursor } from './paging.js';

const same = (value: string): string => value;

describe('a list', () => {
  it('has no next page after a full last page', () => {
    expect(listResponse(['a', 'b'], 2, same, same)).toEqual({ items: ['a', 'b'], next: null });
    expect(listResponse(['a', 'b', 'c'], 2, same, same)).toEqual({ items: ['a', 'b'], next: 'b' });
    expect(listResponse([], 2, same, same)).toEqual({ items: [], next: null });
  });

  it.each(['ascending', 'descending'] as const)('of few items is paged through once, %s', (order) => {
    const rows = ['c', 'a', 'd', 'b'];
    const seen: string[][] = [];
    for (let after: string | null | undefined; after !== null;) {
      const page = boundedListResponse({ rows, query: { limit: 2, after }, keyOf: same, order, row: same });
      seen.push(page.items);
      after = page.next;
    }
    const all = [
      ['a', 'b'],
      ['c', 'd'],
    ];
    expect(seen).toEqual(order === 'ascending' ? all : all.map((page) => page.toReversed()).toReversed());
  });

  it('continues where the row it ended with was deleted meanwhile', () => {
    const query = { limit: 2, after: 'b' };
    const page = boundedListResponse({ rows: ['a', 'c'], query, keyOf: same, order: 'ascending', row: same });
    expect(page).toEqual({ items: ['c'], next: null });
  });
});

describe('a composite cursor', () => {
  it('returns its parts', () => {
    expect(partsOfCursor(cursorOfParts(['1', 'é"\n']), 2)).toEqual(['1', 'é"\n']);
  });

  it.each(['', 'x', cursorOfParts(['1']), Buffer.from('[1,2]').toString('base64url'), '%%%'])(
    'rejects %j',
    (cursor) => {
      expect(() => partsOfCursor(cursor, 2)).toThrow(InvalidCursor);
    },
  );
});
