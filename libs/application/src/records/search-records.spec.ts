import { MemoryNotFound, wholeTenant } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { MemoryView } from '../memories/memory-store.port.js';
import type { RecordQuery } from './record-reader.port.js';
import { NO_TURNS } from '../recall/turn-search.port.js';
import { SearchRecords } from './search-records.js';

const BODY = { query: 'tea', limit: 10, scoreThreshold: 0 };

describe('a search of records', () => {
  const searching = ({ known = true, actors = ['ada'], fails = false } = {}) => {
    const queries: RecordQuery[] = [];
    const ranked: number[] = [];
    const search = new SearchRecords({
      memories: { find: () => Promise.resolve(known ? ({} as MemoryView) : null), strategies: async () => [] },
      records: {
        search: async (_tenant, _memory, _namespace, query) => {
          queries.push(query);
          if (fails) throw new Error('no connection');
          if (actors.length > 0) await (await query.turns?.(actors))?.rank();
          return [];
        },
      },
      turns: {
        asksOfPast: (text) => text.includes('used to'),
        open: () =>
          Promise.resolve({
            speakers: [],
            rank: (_text: string, most: number) => {
              ranked.push(most);
              return Promise.resolve(NO_TURNS);
            },
            search: () => Promise.resolve([]),
          }),
      },
    });
    const execute = (body: Partial<typeof BODY & { includeSuperseded: boolean }> = {}) =>
      search.execute(wholeTenant('tenant'), 'memory', '/ada', { ...BODY, ...body });
    return { execute, queries, ranked };
  };

  it('reports an unknown memory as such, even if the search fails first', async () => {
    await expect(searching({ known: false, fails: true }).execute()).rejects.toThrow(MemoryNotFound);
    await expect(searching({ fails: true }).execute()).rejects.toThrow('no connection');
  });

  it.each([
    ['extracted from turns', ['ada']],
    ['inserted', []],
  ])('includes superseded records, %s, if the query asks about the past', async (_, actors) => {
    const { execute, queries } = searching({ actors });
    await execute({ query: 'Where did she used to live?' });
    await execute();
    await execute({ query: 'Where did she used to live?', includeSuperseded: false });
    expect(queries.map(({ includeSuperseded }) => includeSuperseded)).toEqual([true, false, false]);
  });

  it('ranks by more turns if more records are wanted', async () => {
    const { execute, ranked } = searching();
    for (const limit of [1, 10, 30, 100]) await execute({ limit });
    expect(ranked).toEqual([100, 100, 240, 400]);
  });
});
