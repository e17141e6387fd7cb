import { MemoryNotFound, wholeTenant } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { MemoryView } from '../memories/memory-store.port.js';
import { SearchTurns } from './search-turns.js';

const SCOPE = { tenantId: 'tenant', memoryId: 'memory' };
const BODY = { query: 'tea', limit: 10, scoreThreshold: 0, window: 0, explain: false };

describe('a search of turns', () => {
  const searching = ({ known }: { readonly known: boolean }) =>
    new SearchTurns({
      memories: { find: () => Promise.resolve(known ? ({} as MemoryView) : null) },
      turns: { search: () => Promise.reject(new Error('no connection')) },
      eventStore: { sessionSequence: () => Promise.resolve(3) },
    });

  it('reports an unknown memory as such, even if the search fails first', async () => {
    await expect(searching({ known: false }).execute(wholeTenant('t'), SCOPE, BODY)).rejects.toThrow(MemoryNotFound);
    await expect(searching({ known: true }).execute(wholeTenant('t'), SCOPE, BODY)).rejects.toThrow('no connection');
  });

  it('reports an unknown memory before a session that has not reached a sequence', async () => {
    const session = { ...SCOPE, actorId: 'ada', sessionId: 'monday' };
    await expect(searching({ known: false }).execute(wholeTenant('t'), session, BODY, 9)).rejects.toThrow(
      MemoryNotFound,
    );
    await expect(searching({ known: true }).execute(wholeTenant('t'), session, BODY, 9)).rejects.toMatchObject({
      code: 'session.not_that_far',
    });
  });
});
