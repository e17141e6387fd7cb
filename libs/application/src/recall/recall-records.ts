import { factKey, newestAndStrongest, reachesNamespace, resolveNamespace, type Reach } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import type { StrategyView } from '../memories/memory-store.port.js';
import type { RecordHit, RecordView } from '../records/record-reader.port.js';
import type { OpenTurns } from './open-turns.js';
import { turnsFrom } from '../records/search-records.js';
import type { MemoryScope } from '../log/event-store.port.js';

export interface RecallScope extends MemoryScope {
  readonly actorId: string;
  /** Without it, namespaces of single sessions are excluded. */
  readonly sessionId?: string | undefined;
}

/** The actor's namespaces that the caller reaches, each once. */
export const namespacesOf = (
  reach: Reach,
  strategies: readonly StrategyView[],
  { actorId, sessionId }: RecallScope,
): string[] => [
  ...new Set(
    strategies
      .filter(({ namespaceTemplate }) => sessionId !== undefined || !namespaceTemplate.includes('{sessionId}'))
      .map(({ strategyId, namespaceTemplate }) =>
        resolveNamespace(namespaceTemplate, { memoryStrategyId: strategyId, actorId, sessionId: sessionId ?? '' }),
      )
      .filter((namespace) => reachesNamespace(reach, strategies, namespace)),
  ),
];

/** If the best hit scores less, the words hardly say what is wanted: a greeting, for example. */
const UNSURE = 0.25;

/** Number of records read per record wanted: a strong one may rank before newer ones. */
const POOL_FACTOR = 2;

/**
 * Matches alone, or alternating with the newest items if no match is likely to be wanted.
 *
 * @param best score of the best match
 */
export const withNewest = <T>(matches: readonly T[], best: number, newest: readonly T[]): T[] =>
  best >= UNSURE ? [...matches] : alternating(matches, newest);

/** The first of each list, then the second of each, and so on. */
export const alternating = <T>(first: readonly T[], second: readonly T[]): T[] =>
  Array.from({ length: Math.max(first.length, second.length) }, (_, at) => [
    ...first.slice(at, at + 1),
    ...second.slice(at, at + 1),
  ]).flat();

/** The records of several namespaces, without duplicate facts. */
export class RecallRecords {
  constructor(private readonly deps: Pick<Ports, 'records'>) {}

  /**
   * Best matches for the words; empty without words.
   *
   * @param opened turns of the memory, shared with other searches of the request
   */
  async best(
    opened: OpenTurns,
    namespaces: readonly string[],
    text: string,
    limit: number,
  ): Promise<readonly RecordHit[]> {
    if (text.trim() === '') return [];
    const { tenantId, memoryId } = opened.memory;
    const turns = turnsFrom(opened, { text, limit });
    const found = await Promise.all(
      namespaces.map((namespace) =>
        this.deps.records.search(tenantId, memoryId, namespace, { text, limit, scoreThreshold: 0, turns }),
      ),
    );
    return once(found.flat().sort((a, b) => b.score - a.score)).slice(0, limit);
  }

  /** The records stated most recently; one that is strong or was stated often counts as newer than it is. */
  async newest(
    { tenantId, memoryId }: MemoryScope,
    namespaces: readonly string[],
    limit: number,
  ): Promise<readonly RecordView[]> {
    const found = await Promise.all(
      namespaces.map((namespace) => this.deps.records.newest(tenantId, memoryId, namespace, POOL_FACTOR * limit)),
    );
    return newestOf(found.flat(), limit);
  }
}

/** The newest and strongest of the records, without duplicate facts. */
export const newestOf = (records: readonly RecordView[], limit: number): readonly RecordView[] =>
  once(records.toSorted(newestAndStrongest)).slice(0, limit);

/** Keeps the first record of each fact, because two strategies may have extracted the same one. */
const once = <T extends RecordView>(records: readonly T[]): T[] => {
  const byFact = new Map<string, T>();
  for (const record of records) {
    const key = factKey(record.text);
    if (!byFact.has(key)) byFact.set(key, record);
  }
  return [...byFact.values()];
};
