import type { SearchRecordsBody } from '@turnkeeper/contracts';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { TurnRanking, TurnSearch } from '../recall/turn-search.port.js';
import type { RecordHit, RecordReader } from './record-reader.port.js';

interface Deps {
  readonly memories: MemoryStore;
  readonly records: RecordReader;
  readonly turns: TurnSearch;
}

/** Maximum number of turns scored to rank the records based on them. */
const MOST_TURNS = 400;
const NO_TURNS: TurnRanking = { turns: [], weight: 0, speakers: [], comparedMeaning: false, asksOfPast: false };

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
    const { query: text, limit, scoreThreshold } = body;
    const [ranking] = await Promise.all([
      rankTurnsOf(this.deps, tenantId, memoryId, namespace, text),
      requireMemory(this.deps.memories, tenantId, memoryId),
    ]);
    const { includeSuperseded = ranking.asksOfPast } = body;
    const query = { text, limit, scoreThreshold, includeSuperseded, ranking };
    return this.deps.records.search(tenantId, memoryId, namespace, query);
  }
}

/**
 * Ranks the turns of the actors that a namespace's records are about; empty if the records are based on no
 * conversation.
 */
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
