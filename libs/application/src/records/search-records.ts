import type { SearchRecordsBody } from '@turnkeeper/contracts';
import { besideRequireMemory } from '../memories/require-memory.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { TurnSearch } from '../recall/turn-search.port.js';
import type { RankableTurns, RecordHit, RecordReader } from './record-reader.port.js';

interface Deps {
  readonly memories: Pick<MemoryStore, 'find'>;
  readonly records: Pick<RecordReader, 'actorsOf' | 'search'>;
  readonly turns: Pick<TurnSearch, 'open' | 'asksOfPast'>;
}

/** Number of best turns that records are ranked by. A further turn costs a lookup and hardly moves the first hits. */
const turnsFor = (limit: number): number => Math.min(400, Math.max(150, 8 * limit));

/**
 * Searches a namespace's records, best first. Scores combine the records' own text and the turns they are based on.
 */
export class SearchRecords {
  constructor(private readonly deps: Deps) {}

  async execute(
    tenantId: string,
    memoryId: string,
    namespace: string,
    body: SearchRecordsBody,
  ): Promise<readonly RecordHit[]> {
    const { memories, records, turns } = this.deps;
    const { query: text, limit, scoreThreshold, includeSuperseded = turns.asksOfPast(text) } = body;
    return besideRequireMemory(memories, tenantId, memoryId, async () => {
      const about = await turnsOf({ records, turns }, tenantId, memoryId, namespace, { text, limit });
      const query = { text, limit, scoreThreshold, includeSuperseded, turns: about };
      return records.search(tenantId, memoryId, namespace, query);
    });
  }
}

/**
 * The turns of the actors that a namespace's records are about; undefined if the records are based on no conversation.
 *
 * @param query.limit number of records wanted
 */
export const turnsOf = async (
  { records, turns }: { readonly records: Pick<RecordReader, 'actorsOf'>; readonly turns: Pick<TurnSearch, 'open'> },
  tenantId: string,
  memoryId: string,
  namespace: string,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<RankableTurns | undefined> => {
  const actors = await records.actorsOf(tenantId, memoryId, namespace);
  if (actors.length === 0) return undefined;
  const actorId = actors.length === 1 ? actors[0] : undefined;
  const opened = await turns.open({ tenantId, memoryId, actorId });
  return { speakers: opened.speakers, rank: () => opened.rank(text, turnsFor(limit)) };
};
