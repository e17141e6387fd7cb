import type { SearchRecordsBody } from '@turnkeeper/contracts';
import type { Reach } from '@turnkeeper/domain';
import { besideRequireMemory } from '../memories/require-memory.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import { OpenTurns } from '../recall/open-turns.js';
import type { TurnSearch } from '../recall/turn-search.port.js';
import { assertMayReadNamespace } from './may-read-namespace.js';
import type { RankableTurns, RecordHit, RecordReader } from './record-reader.port.js';

interface Deps {
  readonly memories: Pick<MemoryStore, 'find' | 'strategies'>;
  readonly records: Pick<RecordReader, 'search'>;
  readonly turns: Pick<TurnSearch, 'open' | 'asksOfPast'>;
}

/** Number of best turns that records are ranked by. A further turn costs a lookup and does not change the first hits. */
const turnsFor = (limit: number): number => Math.min(400, Math.max(100, 8 * limit));

/**
 * Searches a namespace's records, best first. Scores combine the records' own text and the turns they are based on.
 */
export class SearchRecords {
  constructor(private readonly deps: Deps) {}

  /** Rejects with `OutOfReach` if the namespace is beyond what the caller reaches. */
  async execute(
    reach: Reach,
    memoryId: string,
    namespace: string,
    body: Omit<SearchRecordsBody, 'explain'>,
  ): Promise<readonly RecordHit[]> {
    const { memories, records, turns } = this.deps;
    const { tenantId } = reach;
    await assertMayReadNamespace(memories, reach, memoryId, namespace);
    const { query: text, limit, scoreThreshold, includeSuperseded = turns.asksOfPast(text), ...restricted } = body;
    const { longTermMemoryStrategyId: strategyId, ...conditions } = restricted;
    return besideRequireMemory(memories, tenantId, memoryId, async () => {
      const about = turnsFrom(new OpenTurns(turns, { tenantId, memoryId }), { text, limit });
      const query = {
        text,
        limit,
        scoreThreshold,
        includeSuperseded,
        conditions: { ...conditions, strategyId },
        turns: about,
      };
      return records.search(tenantId, memoryId, namespace, query);
    });
  }
}

/**
 * Opens the turns of the actors that records are about.
 *
 * @param query.limit number of records wanted
 */
export const turnsFrom =
  (opened: OpenTurns, { text, limit }: { readonly text: string; readonly limit: number }) =>
  async (actorIds: readonly string[]): Promise<RankableTurns> => {
    const turns = await opened.of(actorIds.length === 1 ? actorIds[0] : undefined);
    return { speakers: turns.speakers, rank: () => turns.rank(text, turnsFor(limit)) };
  };
