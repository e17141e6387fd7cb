import { refusal } from '@turnkeeper/domain';
import type { ReplayWindowOptions } from '../extraction/extraction-schedule.port.js';
import type { ParkedFilter, ParkedName, ParkedPlace, ParkedWork, ParkedWorkStore } from './parked-work.port.js';
import type { PageAfter } from '../memories/memory-store.port.js';

export class ParkedWorkNotFound extends refusal('parked.not_found', 'not_found', {
  message: 'No such item is parked.',
  field: 'parkedId',
  rule: 'must name an item that is parked and was not dropped',
  next: 'List them with GET /v1/admin/parked.',
}) {}

export class ParkedWorkNotReplayable extends refusal('parked.not_replayable', 'conflict', {
  message: 'This item cannot be replayed.',
  field: 'parkedId',
  rule: 'must name an item whose content is still stored',
  next: 'Drop it once you know the cause.',
}) {}

/** Operator's view of all parked work: list, replay or drop. */
export class ManageParkedWork {
  constructor(private readonly parked: ParkedWorkStore) {}

  list(filter: ParkedFilter, page: PageAfter<ParkedPlace>): Promise<readonly ParkedWork[]> {
    return this.parked.list(filter, page);
  }

  /**
   * Rejects with `ParkedWorkNotFound`, `ParkedWorkNotReplayable` or, for a delivery of a disabled endpoint,
   * `WebhookEndpointDisabled`.
   */
  async replay(name: ParkedName, options: ReplayWindowOptions = { askAgain: false }): Promise<void> {
    const work = await this.parked.find(name);
    if (work === null) throw new ParkedWorkNotFound();
    if (!(await this.parked.replay(work, options))) throw new ParkedWorkNotReplayable();
  }

  /** Idempotent: an item that is no longer parked is left unchanged. */
  async drop(name: ParkedName): Promise<void> {
    await this.parked.drop(name);
  }
}
