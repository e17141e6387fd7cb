import { DomainError } from '@turnkeeper/domain';
import type { ReplayWindowOptions } from '../extraction/extraction-schedule.port.js';
import type { ParkedFilter, ParkedName, ParkedPlace, ParkedWork, ParkedWorkStore } from './parked-work.port.js';

export class ParkedWorkNotFound extends DomainError {
  readonly code = 'parked.not_found';
  readonly kind = 'not_found';
  constructor() {
    super('No such item is parked.', {
      field: 'parkedId',
      rule: 'must name an item that is parked and was not dropped',
      next: 'List them with GET /v1/admin/parked.',
    });
  }
}

export class ParkedWorkNotReplayable extends DomainError {
  readonly code = 'parked.not_replayable';
  readonly kind = 'conflict';
  constructor() {
    super('This item cannot be replayed.', {
      field: 'parkedId',
      rule: 'must name an item that can be replayed: a readable message whose content is still stored',
      next: 'Drop it once you know the cause.',
    });
  }
}

/** Source of events that the dispatcher parked. */
const DISPATCH = 'dispatch';

/** Operator's view of all parked work: list, replay or drop. */
export class ManageParkedWork {
  constructor(
    private readonly deps: {
      readonly parked: ParkedWorkStore;
      /** Republishes a broker message; resolves to false if it cannot be parsed. */
      readonly republish: (payload: string) => Promise<boolean>;
    },
  ) {}

  list(
    filter: ParkedFilter,
    page: { readonly limit: number; readonly after?: ParkedPlace | undefined },
  ): Promise<readonly ParkedWork[]> {
    return this.deps.parked.list(filter, page);
  }

  /** Rejects with `ParkedWorkNotFound` or `ParkedWorkNotReplayable`. */
  async replay(name: ParkedName, options: ReplayWindowOptions = { askAgain: false }): Promise<void> {
    const { parked, republish } = this.deps;
    const work = await parked.find(name);
    if (work === null) throw new ParkedWorkNotFound();
    // An event that could not be dispatched is in the log: the dispatcher reads it again.
    if (work.kind !== 'message' || work.key[0] === DISPATCH) {
      if (!(await parked.replay(work, options))) throw new ParkedWorkNotReplayable();
      return;
    }
    const payload = await parked.messageOf(name);
    if (payload === null || !(await republish(payload))) throw new ParkedWorkNotReplayable();
    await parked.resolveMessage(name);
  }

  /** Idempotent: an item that is no longer parked is left unchanged. */
  async drop(name: ParkedName): Promise<void> {
    await this.deps.parked.drop(name);
  }
}
