import { FinishErasures } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import { PgAuditLog, PgSpentStates, purgeExpiredItems, purgeExpiredThreads } from '@turnkeeper/postgres';
import type { Stores } from '@turnkeeper/runtime';
import type { WorkerResources } from '../resources.js';

const ROWS_AT_ONCE = 1_000;
/** How long a finished deletion of many records can be looked up. */
const DELETION_DAYS = 30;
/** Extraction states looked at per run. A pass over all of them may take many runs. */
const STATES_AT_ONCE = 2_000;

/**
 * Continuously deletes data that can no longer be read: expired events, extraction states of sessions without messages,
 * deleted memories, erasures whose process died, and webhooks, replayed messages and audit log entries past their
 * retention. Safe to run in several workers; each takes different rows.
 */
export const purgeTicker = (
  { settings, dataSource, logger, metrics }: WorkerResources,
  { deliveries, deletions, erasure, firstAnswers, parkedWork, parkingLot, personalRows }: Stores,
): Ticker => {
  const finishErasures = new FinishErasures({ erasure, personalRows, tombstoneDays: settings.TOMBSTONE_DAYS });
  const auditLog = new PgAuditLog(dataSource);
  const spentStates = new PgSpentStates(dataSource);
  const purged = metrics.counter('purged_events_total');
  return new Ticker(
    'purge',
    settings.PURGE_INTERVAL_SECONDS * 1_000,
    async (signal) => {
      const startedAt = performance.now();
      const again = (more: boolean): boolean => {
        if (more) signal.throwIfAborted();
        return more;
      };
      const events = await finishErasures.execute(signal);
      await spentStates.forget(STATES_AT_ONCE);
      while (again(await deliveries.purgeBodies(settings.WEBHOOK_BODY_DAYS, ROWS_AT_ONCE)));
      while (again(await deliveries.forgetFinal(settings.WEBHOOK_DELIVERY_DAYS, ROWS_AT_ONCE)));
      while (again(await parkingLot.forgetResolved(settings.PARKED_MESSAGE_DAYS, ROWS_AT_ONCE)));
      while (again(await parkedWork.forgetDropped(settings.PARKED_MESSAGE_DAYS, ROWS_AT_ONCE)));
      while (again((await firstAnswers.forgetOld(ROWS_AT_ONCE)) === ROWS_AT_ONCE));
      while (again((await deletions.forgetFinished(DELETION_DAYS, ROWS_AT_ONCE)) === ROWS_AT_ONCE));
      while (again(await purgeExpiredThreads(dataSource, ROWS_AT_ONCE)));
      while (again(await purgeExpiredItems(dataSource, ROWS_AT_ONCE)));
      while (again((await auditLog.forget(settings.AUDIT_LOG_DAYS, ROWS_AT_ONCE)) === ROWS_AT_ONCE));
      for (const [reason, count] of Object.entries(events)) purged.inc({ reason }, count as number);
      if (Object.values(events).every((count) => count === 0)) return;
      logger.info({ ...events, durationMs: Math.round(performance.now() - startedAt) }, 'events.purged');
    },
    logger,
  );
};
