import { EmbeddingFailed } from '@turnkeeper/application';
import type { VectorIndexer } from '@turnkeeper/event-store';
import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** After a failure of the model it is left alone for this long. */
const PAUSE_MS = 15_000;
/** A bounded number of steps in a tick, so that a stop waits for few of them. */
const STEPS_AT_A_TICK = 50;

export interface EmbeddingReport {
  readonly behind: (events: number) => void;
  readonly refused: (turns: number) => void;
  readonly failed: (error: EmbeddingFailed) => void;
}

/** Embeds turns until none is left. While the model does not answer, it is asked again every 15 seconds. */
export const turnEmbedder = (
  vectors: Pick<VectorIndexer, 'step'>,
  report: EmbeddingReport,
  now: () => number = Date.now,
): ((signal: AbortSignal) => Promise<void>) => {
  let pausedUntil = 0;
  return async (signal) => {
    if (now() < pausedUntil) return;
    for (let step = 0; step < STEPS_AT_A_TICK && !signal.aborted; step += 1) {
      try {
        const { left, refused } = await vectors.step(signal);
        report.behind(left);
        if (refused > 0) report.refused(refused);
        if (left === 0) return;
      } catch (error) {
        if (!(error instanceof EmbeddingFailed)) throw error;
        pausedUntil = now() + PAUSE_MS;
        return report.failed(error);
      }
    }
  };
};

/** None where no model is configured. Several workers may do it at once; then some of the work is done twice. */
export const embedTurnsTicker = ({ settings, eventStore, logger, metrics }: WorkerResources): Ticker | null => {
  if (eventStore.vectors === undefined) return null;
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
  return new Ticker('embeddings', settings.SWEEP_INTERVAL_MS, work, logger);
};
