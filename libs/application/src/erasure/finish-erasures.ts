import type { Ports } from '../ports.js';

export interface PurgedEvents {
  readonly expired: number;
  /** Events of erased sessions whose erasure was interrupted. */
  readonly erased: number;
  /** Events of deleted memories. */
  readonly deleted: number;
}

const ROWS = 5_000;

/**
 * Deletes data that is no longer readable: expired events, data of deleted memories, and the leftovers of interrupted
 * erasures and retention changes. Merges old tombstones. Safe to run concurrently and in many processes.
 */
export class FinishErasures {
  constructor(
    private readonly deps: Pick<Ports, 'erasure' | 'personalRows'> & {
      /** Days before the tombstone of a deleted event is merged into a range. */
      readonly tombstoneDays: number;
    },
  ) {}

  /** @param signal stops after the current batch by rejecting with the signal's reason; the next run continues */
  async execute(signal?: AbortSignal): Promise<PurgedEvents> {
    const { erasure, personalRows, tombstoneDays } = this.deps;
    await erasure.applyExpiry(null, signal);
    const erased = await erasure.purgeSessions(null, signal);
    const expired = await erasure.purgeExpired(signal);
    while (await personalRows.purgeDeletedMemories(ROWS)) signal?.throwIfAborted();
    const deleted = await erasure.purgeDeletedMemories(signal);
    await erasure.mergeTombstones(tombstoneDays, signal);
    return { expired, erased, deleted };
  }
}
