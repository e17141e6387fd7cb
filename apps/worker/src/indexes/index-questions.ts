import type { QuestionIndex } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import type { WorkerResources } from '../resources.js';

/** Log events scanned per statement. */
export const AT_ONCE = 5_000;
/** While the log grows by more than `AT_ONCE` between two ticks, the index can lag by this much. */
export const MOST_BEHIND = 250_000;
/** Maximum statements per tick, so that shutdown waits for few of them. */
const MOST_AT_A_TICK = 20;

/**
 * Keeps the index of questions near the log's head. Readers scan the rest themselves, so nothing waits for it, and
 * writes take priority: a burst is indexed when it is over, or when the index is `MOST_BEHIND`.
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

/** Keeps the index of turns near the log's head, in the same way. */
export const indexTurnsTicker = ({ settings, eventStore, logger }: WorkerResources): Ticker =>
  new Ticker('turns', settings.SWEEP_INTERVAL_MS, questionIndexer(eventStore.turns), logger);

/** Keeps the index of sessions by recency near the log's head, in the same way. */
export const indexActivityTicker = ({ settings, eventStore, logger }: WorkerResources): Ticker =>
  new Ticker('session activity', settings.SWEEP_INTERVAL_MS, questionIndexer(eventStore.recentSessions), logger);

/** Safe to run in several workers. */
export const indexQuestionsTicker = ({ settings, eventStore, logger }: WorkerResources): Ticker =>
  new Ticker('questions', settings.SWEEP_INTERVAL_MS, questionIndexer(eventStore.questions), logger);
