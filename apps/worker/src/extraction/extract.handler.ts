import type { ExtractSession, JobHandlers } from '@turnkeeper/application';
import type { LastFailures, Logger, Metrics } from '@turnkeeper/platform';

/** Runs one window, then the session's next ones while they are due. */
export const extractHandler = (
  extractSession: Pick<ExtractSession, 'execute'>,
  logger: Logger,
  metrics: Metrics,
  failures: LastFailures,
  /** Called when a session is done: its tenant has a free slot. */
  onDone: () => void,
): JobHandlers['extract'] => {
  const duration = metrics.histogram('extraction_duration_seconds');
  const made = metrics.counter('extraction_records_total');
  const notKept = metrics.counter('extraction_not_kept_total');
  return async ({ sessionKey, strategyId }, signal) => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      const outcome = await extractSession.execute(sessionKey, strategyId, signal);
      if (outcome.kind === 'not_due') break;
      const seconds = (performance.now() - startedAt) / 1_000;
      duration.observe({ outcome: outcome.kind }, seconds);
      const line = { sessionKey, strategyId, durationMs: Math.round(seconds * 1_000), ...outcome };
      if (outcome.kind === 'extracted') logger.info(line, 'session.extracted');
      // A parked window has its own log line (`work.parked`).
      else if (outcome.kind === 'retry') {
        // A model that cannot be reached is the endpoint's failure, not the window's.
        const isModels = outcome.code.startsWith('model.');
        if (isModels) failures.note('model', outcome.code);
        logger.warn(line, isModels ? 'model.failed' : 'extraction.attempt_failed');
      } else logger.info(line, 'extraction.ended');
      if (outcome.kind !== 'extracted') break;
      made.inc({ result: 'made' }, outcome.records);
      made.inc({ result: 'confirmed' }, outcome.confirmed);
      made.inc({ result: 'refused' }, outcome.refused);
      for (const [reason, count] of Object.entries(outcome.notKept)) notKept.inc({ reason }, count);
      if (!outcome.isDueAgain) break;
    }
    onDone();
  };
};
