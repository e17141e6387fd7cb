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

  async execute(): Promise<PurgedEvents> {
    const { erasure, personalRows, tombstoneDays } = this.deps;
    await erasure.applyExpiry(null);
    const erased = await erasure.purgeSessions(null);
    const expired = await erasure.purgeExpired();
    while (await personalRows.purgeDeletedMemories(ROWS));
    const deleted = await erasure.purgeDeletedMemories();
    await erasure.mergeTombstones(tombstoneDays);
    return { expired, erased, deleted };
  }
}
