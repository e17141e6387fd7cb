import type { QuestionIndex } from '@turnkeeper/application';
import { Ticker } from '@turnkeeper/platform';
import { pacer } from '@turnkeeper/postgres';
import type { WorkerResources } from '../resources.js';

/** Log growth between two ticks that counts as a burst. */
export const AT_ONCE = 5_000;
/** During a burst, the index can lag by this much. */
export const MOST_BEHIND = 250_000;
/** Log events scanned per statement. */
const STEP = 1_000;
/** Maximum statements per tick, so that shutdown waits for few of them. */
const MOST_AT_A_TICK = 100;
/** Maximum rest between two statements, in milliseconds. */
const MOST_REST_MS = 200;

/**
 * Keeps the index of questions near the log's head. Readers scan the rest themselves, so nothing waits for it, and
 * writes take priority: a burst is indexed once it is over or the index is `MOST_BEHIND`, and after each statement it
 * pauses for as long as that took (docs/adr/0067).
 */
export const questionIndexer = (
  index: Pick<QuestionIndex, 'behind' | 'catchUp'>,
): ((signal?: AbortSignal) => Promise<void>) => {
  let leftLastTime = 0;
  return async (signal) => {
    let left = await index.behind();
    const enough = left - leftLastTime > AT_ONCE ? MOST_BEHIND : 0;
    for (let times = 0; left > enough && times < MOST_AT_A_TICK && signal?.aborted !== true; times += 1) {
      const rest = pacer({ mostMs: MOST_REST_MS });
      left = await index.catchUp(STEP);
      if (left > enough) await rest();
    }
    leftLastTime = left;
  };
};

/** Keeps the indexes of questions, turns and sessions by recency near the log's head. Safe to run in several workers. */
export const indexTickers = ({ settings, eventStore, logger }: WorkerResources): readonly Ticker[] =>
  Object.entries({
    questions: eventStore.questions,
    turns: eventStore.turns,
    'session activity': eventStore.recentSessions,
  }).map(([name, index]) => new Ticker(name, settings.SWEEP_INTERVAL_MS, questionIndexer(index), logger));
