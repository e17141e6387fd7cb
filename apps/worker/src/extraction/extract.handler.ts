import type { ExtractSession, JobHandlers } from '@turnkeeper/application';
import type { Logger, Metrics } from '@turnkeeper/platform';

/** Runs one window, and the next ones of the same session while they are due. */
export const extractHandler = (
  extractSession: ExtractSession,
  logger: Logger,
  metrics: Metrics,
  /** Called when a session is done: its tenant has room for another one. */
  onDone: () => void,
): JobHandlers['extract'] => {
  const duration = metrics.histogram('extraction_duration_seconds');
  const made = metrics.counter('extraction_records_total');
  return async ({ sessionKey, strategyId }, signal) => {
    while (!signal.aborted) {
      const startedAt = performance.now();
      const outcome = await extractSession.execute(sessionKey, strategyId, signal);
      if (outcome.kind === 'not_due') break;
      const seconds = (performance.now() - startedAt) / 1_000;
      duration.observe({ outcome: outcome.kind }, seconds);
      const line = { sessionKey, strategyId, durationMs: Math.round(seconds * 1_000), ...outcome };
      if (outcome.kind === 'extracted') logger.info(line, 'session.extracted');
      // A window that is parked has a line of its own (`work.parked`).
      else if (outcome.kind === 'retry') logger.warn(line, 'extraction.attempt_failed');
      else logger.info(line, 'extraction.ended');
      if (outcome.kind !== 'extracted') break;
      made.inc({ result: 'made' }, outcome.records);
      made.inc({ result: 'confirmed' }, outcome.confirmed);
      made.inc({ result: 'refused' }, outcome.refused);
    }
    onDone();
  };
};
