import { EmbeddingFailed } from '@turnkeeper/application';
import type { VectorIndexer } from '@turnkeeper/postgres';
import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** Pause after a failure of the model. */
const PAUSE_MS = 15_000;
/** Maximum steps per tick, so that shutdown waits for few of them. */
const STEPS_AT_A_TICK = 50;

export interface EmbeddingReport {
  readonly behind: (events: number) => void;
  readonly refused: (turns: number) => void;
  readonly failed: (error: EmbeddingFailed) => void;
}

/** Embeds turns until none is left. If the model does not answer, retries every 15 seconds. */
export const turnEmbedder = (
  vectors: Pick<VectorIndexer, 'step'>,
  report: EmbeddingReport,
  monotonicMs: () => number = () => performance.now(),
): ((signal: AbortSignal) => Promise<void>) => {
  let pausedUntil = -Infinity;
  return async (signal) => {
    if (monotonicMs() < pausedUntil) return;
    for (let step = 0; step < STEPS_AT_A_TICK && !signal.aborted; step += 1) {
      try {
        const { left, refused } = await vectors.step(signal);
        report.behind(left);
        if (refused > 0) report.refused(refused);
        if (left === 0) return;
      } catch (error) {
        if (!(error instanceof EmbeddingFailed)) throw error;
        pausedUntil = monotonicMs() + PAUSE_MS;
        return report.failed(error);
      }
    }
  };
};

/** None if no model is configured. Safe to run in several workers; some work is then done twice. */
export const embedTurnsTickers = ({ settings, eventStore, logger, metrics }: WorkerResources): readonly Ticker[] => {
  if (eventStore.vectors === undefined) return [];
  const behind = metrics.gauge('embeddings_behind_events');
  const refused = metrics.counter('embeddings_refused_total');
  const work = turnEmbedder(eventStore.vectors, {
    behind: (events) => behind.set(events),
    refused: (turns) => {
      refused.inc(turns);
      logger.warn({ turns }, 'embeddings.refused');
    },
    failed: ({ code, message }) => logger.warn({ code, cause: message }, 'embeddings.unavailable'),
  });
  return [new Ticker('embeddings', settings.SWEEP_INTERVAL_MS, work, logger)];
};
