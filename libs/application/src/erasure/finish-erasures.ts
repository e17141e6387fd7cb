import type { LogErasure } from '../ports/log-erasure.port.js';
import type { PersonalRows } from '../ports/personal-rows.port.js';

export interface PurgedEvents {
  readonly expired: number;
  /** Of erased sessions whose request did not get that far. */
  readonly erased: number;
  /** Of deleted memories. */
  readonly deleted: number;
}

const ROWS = 5_000;

/**
 * Deletes what cannot be read any more: expired events, what deleted memories held, and what an erasure or a change of
 * expiry left undone when its process died; merges old tombstones. Safe to run at any time and in many processes at once.
 */
export class FinishErasures {
  constructor(
    private readonly deps: {
      readonly erasure: LogErasure;
      readonly personalRows: PersonalRows;
      /** How long a deleted event keeps a tombstone of its own. */
      readonly tombstoneDays: number;
    },
  ) {}

  /** @param signal ends it after the batch in hand, by rejecting with the signal's reason; the next run goes on */
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
