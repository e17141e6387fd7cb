import { refusal } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireMemory } from '../memories/require-memory.js';
import type { ParkedKey, ReplayWindowOptions } from './extraction-schedule.port.js';
import type { ParkedWindow, ParkedWindowPlace } from './extraction-states.port.js';
import type { PageAfter } from '../memories/memory-store.port.js';

export class NothingParked extends refusal('extraction.not_parked', 'not_found', {
  message: 'The session has no parked window of this strategy.',
  title: 'There is no such parked window.',
  rule: 'must name a session and strategy whose window is parked',
  next: 'List them with GET /v1/memories/{memoryId}/extraction/parked.',
}) {}

/** Lists and replays windows that were parked after their last attempt. */
export class ParkedWindows {
  constructor(private readonly deps: Pick<Ports, 'memories' | 'extractionSchedule' | 'extractionStates'>) {}

  /** Oldest first. */
  async list(tenantId: string, memoryId: string, page: PageAfter<ParkedWindowPlace>): Promise<readonly ParkedWindow[]> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    return this.deps.extractionStates.parked(tenantId, memoryId, page);
  }

  /**
   * Makes the parked windows of one session and strategy due again, or all of the memory if `key` is null. Resolves to
   * their number. Rejects with `NothingParked` if the given session has none.
   */
  async replay(
    tenantId: string,
    memoryId: string,
    key: ParkedKey | null,
    options: ReplayWindowOptions = { askAgain: false },
  ): Promise<number> {
    await requireMemory(this.deps.memories, tenantId, memoryId);
    const replayed = await this.deps.extractionSchedule.replayParked(tenantId, memoryId, key, options);
    if (key !== null && replayed === 0) throw new NothingParked();
    return replayed;
  }
}
