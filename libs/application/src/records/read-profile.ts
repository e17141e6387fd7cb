import type { AttributeValue } from '@turnkeeper/domain';
import { requireMemory } from '../memories/require-memory.js';
import type { MemoryScope } from '../log/event-store.port.js';
import type { MemoryStore } from '../memories/memory-store.port.js';
import type { RecordReader, RecordView } from './record-reader.port.js';

/** One current value of an actor, with the record that states it. */
export interface ProfileEntry {
  readonly attribute: AttributeValue;
  readonly record: RecordView;
}

/** Maximum number of records that a profile is made of. */
const MOST_RECORDS = 500;

/** Returns an actor's current typed values: what a voice agent wants to know when a call begins. */
export class ReadProfile {
  constructor(
    private readonly deps: {
      readonly memories: Pick<MemoryStore, 'find'>;
      readonly records: Pick<RecordReader, 'attributesOfActor'>;
    },
  ) {}

  /** Sorted by name, then newest first. A value that several strategies extracted is listed once. */
  async execute({ tenantId, memoryId }: MemoryScope, actorId: string): Promise<readonly ProfileEntry[]> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    const records = await this.deps.records.attributesOfActor(tenantId, memoryId, actorId, MOST_RECORDS);
    const entries = new Map<string, ProfileEntry>();
    for (const record of records) {
      const { attribute, subject } = record;
      if (attribute === null) continue;
      // Newest first: of a single value that strategies disagree on, the last stated one counts.
      const key = JSON.stringify([subject, attribute.name, attribute.single ? null : attribute.value]);
      if (!entries.has(key)) entries.set(key, { attribute, record });
    }
    const nameOf = ({ attribute }: ProfileEntry): string => attribute.name;
    return [...entries.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
  }
}
