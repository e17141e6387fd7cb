import { EmbeddingFailed } from '@turnkeeper/application';
import type { TurnEmbedder } from '@turnkeeper/postgres';
import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** Pause after a failure of the model. */
const PAUSE_MS = 15_000;
/** Maximum steps per tick, so that shutdown waits for few of them. */
const STEPS_AT_A_TICK = 50;

export interface EmbeddingReport {
  readonly behind: (events: number) => void;
  readonly refused: (texts: number) => void;
  readonly failed: (error: EmbeddingFailed) => void;
}

/** Embeds until nothing is left. If the model does not answer, retries every 15 seconds. */
export const embedInBackground = (
  vectors: Pick<TurnEmbedder, 'step'>,
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
export const embedTickers = ({ settings, eventStore, logger, metrics }: WorkerResources): readonly Ticker[] => {
  const { vectors } = eventStore;
  if (vectors === undefined) return [];
  const refused = metrics.counter('embeddings_refused_total');
  const tickerOf = (name: string, embedder: Pick<TurnEmbedder, 'step'>, behind: { set(events: number): void }) => {
    const work = embedInBackground(embedder, {
      behind: (events) => behind.set(events),
      refused: (texts) => {
        refused.inc(texts);
        logger.warn({ texts, of: name }, 'embeddings.refused');
      },
      failed: ({ code, message }) => logger.warn({ code, cause: message, of: name }, 'embeddings.unavailable'),
    });
    return new Ticker(name, settings.SWEEP_INTERVAL_MS, work, logger);
  };
  return [
    tickerOf('record embeddings', vectors.records, metrics.gauge('record_embeddings_behind_events')),
    ...(vectors.turns === undefined
      ? []
      : [tickerOf('embeddings', vectors.turns, metrics.gauge('embeddings_behind_events'))]),
  ];
};
