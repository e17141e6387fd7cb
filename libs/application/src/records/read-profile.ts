import { assertReaches, reachesNamespace, type AttributeValue, type Reach } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { RecordReader, RecordView } from './record-reader.port.js';

/** One current value of an actor, with the record that states it. */
export interface ProfileEntry {
  readonly attribute: AttributeValue;
  readonly record: RecordView;
}

/** Maximum number of records that a profile is made of. */
const MAX_RECORDS = 500;

/** Returns an actor's current typed values: what a voice agent wants to know when a call begins. */
export class ReadProfile {
  constructor(
    private readonly deps: {
      readonly memories: Pick<MemoryStore, 'find' | 'strategies'>;
      readonly records: Pick<RecordReader, 'attributesOfActor'>;
    },
  ) {}

  /**
   * Sorted by name, then newest first. A value that several strategies extracted is listed once. Values in namespaces
   * that the caller does not reach are left out. Rejects with `OutOfReach` for another actor or memory.
   */
  async execute(reach: Reach, memoryId: string, actorId: string): Promise<readonly ProfileEntry[]> {
    const { memories, records } = this.deps;
    const { tenantId } = reach;
    assertReaches(reach, { memoryId, actorId });
    await requireMemory(memories, tenantId, memoryId);
    const strategies = reach.actorId === null ? [] : await memories.strategies(tenantId, memoryId);
    const entries = new Map<string, ProfileEntry>();
    for (const record of await records.attributesOfActor(tenantId, memoryId, actorId, MAX_RECORDS)) {
      const { attribute, subject, namespace } = record;
      if (attribute === null || !reachesNamespace(reach, strategies, namespace)) continue;
      // Newest first: of a single value that strategies disagree on, the last stated one counts.
      const key = JSON.stringify([subject, attribute.name, attribute.single ? null : attribute.value]);
      if (!entries.has(key)) entries.set(key, { attribute, record });
    }
    const nameOf = ({ attribute }: ProfileEntry): string => attribute.name;
    return [...entries.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
  }
}
