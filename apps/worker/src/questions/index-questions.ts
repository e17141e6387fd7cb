import type { QuestionIndex } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** Events of the log that are looked through in one statement. */
export const AT_ONCE = 5_000;
/** While the log grows by more than `AT_ONCE` between two ticks, the index may stay this far behind it. */
export const MOST_BEHIND = 250_000;
/** A bounded number of statements in a tick, so that a shutdown waits for few of them. */
const MOST_AT_A_TICK = 20;

/**
 * Keeps the index of questions near the log's head. Who asks for an earlier answer looks through the rest by itself, so
 * nothing waits for this, and a burst of writing goes first: its questions are taken in when it is over, or when the index
 * is `MOST_BEHIND`.
 */
export const questionIndexer = (
  index: Pick<QuestionIndex, 'behind' | 'catchUp'>,
): ((signal?: AbortSignal) => Promise<void>) => {
  let leftLastTime = 0;
  return async (signal) => {
    let left = await index.behind();
    const enough = left - leftLastTime > AT_ONCE ? MOST_BEHIND : 0;
    for (let times = 0; left > enough && times < MOST_AT_A_TICK && signal?.aborted !== true; times += 1)
      left = await index.catchUp(AT_ONCE);
    leftLastTime = left;
  };
};

/** Keeps the words of turns near the log's head, in the same way. */
export const indexTurnsTicker = ({ settings, eventStore, logger }: WorkerResources): Ticker =>
  new Ticker('turns', settings.SWEEP_INTERVAL_MS, questionIndexer(eventStore.turns), logger);

/** Several workers may do it at once. */
export const indexQuestionsTicker = ({ settings, eventStore, logger }: WorkerResources): Ticker =>
  new Ticker('questions', settings.SWEEP_INTERVAL_MS, questionIndexer(eventStore.questions), logger);
