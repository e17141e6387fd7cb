import type { Ports } from '../ports.js';
import type { ExtractionSchedule, ExtractionTiming } from '../extraction/extraction-schedule.port.js';
import type { DispatchReplays } from './parking-lot.port.js';
import type { Transaction } from '../shared/transaction.port.js';
import { ANNOUNCED, isAnnounced, type PlanDeliveries } from '../webhooks/plan-deliveries.js';
import { progressOf } from './dispatch-events.js';

/** Maximum number of events per run; the next run takes the rest. */
const AT_ONCE = 100;

/**
 * Dispatches parked events again that an operator has asked for. The cursor has passed them, so each is dispatched by
 * its position: its work is written in the transaction that resolves the parked item. Safe to run in several workers.
 */
export class ReplayDispatch {
  constructor(
    private readonly deps: Pick<Ports, 'unitOfWork' | 'eventStore' | 'cursor'> & {
      readonly replays: DispatchReplays;
      readonly extractionSchedule: Pick<ExtractionSchedule, 'note'>;
      readonly planDeliveries: Pick<PlanDeliveries, 'execute'>;
      readonly timing: ExtractionTiming;
      /** True if the event itself caused the failure, false for database and network failures. */
      readonly isLasting: (error: unknown) => boolean;
    },
  ) {}

  async execute(): Promise<void> {
    const { replays, cursor } = this.deps;
    const requested = await replays.requested(AT_ONCE);
    if (requested.length === 0) return;
    const reached = await cursor.position();
    // An event beyond the cursor is about to be dispatched anyway; afterwards it is dispatched here once more at most.
    for (const position of requested) if (position <= reached) await this.replay(position);
  }

  private async replay(position: number): Promise<void> {
    const { unitOfWork, replays, isLasting } = this.deps;
    try {
      await unitOfWork.run(async (tx) => {
        // False if another worker has done it.
        if (await replays.resolve(tx, position)) await this.dispatch(tx, position);
      });
    } catch (error) {
      if (!isLasting(error)) throw error;
      await replays.parkAgain(position, error instanceof Error ? error.name : 'Error');
    }
  }

  private async dispatch(tx: Transaction, position: number): Promise<void> {
    const { eventStore, extractionSchedule, planDeliveries, timing } = this.deps;
    const [event] = await eventStore.readOutline(position - 1, 1);
    // It has expired or was erased in the meantime: nothing is left to do.
    if (event?.position !== position) return;
    await extractionSchedule.note(tx, progressOf([event]), timing);
    if (!isAnnounced(event)) return;
    await planDeliveries.execute(tx, await eventStore.readLog(position - 1, 1, ANNOUNCED, position));
  }
}
