import type { SearchRecordsBody } from '@turnkeeper/contracts';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryStore } from '../ports/memory-store.port.js';
import type { TurnRanking, TurnSearch } from '../ports/turn-search.port.js';
import type { RecordHit, RecordStore } from '../ports/record-store.port.js';

interface Deps {
  readonly memories: MemoryStore;
  readonly records: RecordStore;
  readonly turns: TurnSearch;
}

/** Turns that are looked at for records that rest on them. */
const MOST_TURNS = 400;
const NO_TURNS: TurnRanking = { turns: [], known: 0, speakers: [], comparedMeaning: false };

/** Ranks a namespace's records against a query, best first: by their own words and by the turns that they rest on. */
export class SearchRecords {
  constructor(private readonly deps: Deps) {}

  async execute(
    tenantId: string,
    memoryId: string,
    namespace: string,
    body: SearchRecordsBody,
  ): Promise<readonly RecordHit[]> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    const { query: text, ...options } = body;
    const ranking = await rankTurnsOf(this.deps, tenantId, memoryId, namespace, text);
    return this.deps.records.search(tenantId, memoryId, namespace, { text, ...options, ranking });
  }
}

/** The turns of those whom a namespace's records are about; none where they rest on no conversation. */
export const rankTurnsOf = async (
  { records, turns }: Pick<Deps, 'records' | 'turns'>,
  tenantId: string,
  memoryId: string,
  namespace: string,
  text: string,
): Promise<TurnRanking> => {
  const actors = await records.actorsOf(tenantId, memoryId, namespace);
  if (actors.length === 0) return NO_TURNS;
  const actorId = actors.length === 1 ? actors[0] : undefined;
  return turns.rank({ tenantId, memoryId, actorId }, text, MOST_TURNS);
};
