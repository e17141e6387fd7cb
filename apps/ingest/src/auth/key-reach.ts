import { OutOfReach, type Reach } from '@turnkeeper/domain';
import { beyondReach, type Owners } from './beyond-reach.js';
import type { RequestTarget } from './request-target.js';

/**
 * Restricts a key made for one memory or actor. A request must name its subjects in fields that its route declares, and
 * they must be the key's. Routes that `userDataOf` does not know are denied, so new routes are closed to such keys until
 * the table covers them.
 */
export class KeyReach {
  constructor(private readonly owners: Owners) {}

  /** Rejects with `OutOfReach`. */
  async check(target: RequestTarget, reach: Reach): Promise<void> {
    if ((await beyondReach(target, reach, this.owners)) !== null) throw new OutOfReach();
  }
}
