import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** Events of the log that are looked through in one statement. */
const AT_ONCE = 5_000;

/**
 * Keeps the index of questions near the log's head. Who asks for an earlier answer looks through the rest by itself, so
 * nothing waits for this; several workers may do it at once.
 */
export const indexQuestionsTicker = ({ settings, eventStore, logger }: WorkerResources): Ticker =>
  new Ticker(
    'questions',
    settings.SWEEP_INTERVAL_MS,
    async () => {
      // A bounded number of rounds, so that a shutdown waits for few of them.
      for (let round = 0; round < 20; round += 1) if ((await eventStore.questions.catchUp(AT_ONCE)) === 0) return;
    },
    logger,
  );
