import { Ticker } from '@turnkeeper/platform';
import { pacer } from '@turnkeeper/postgres';
import type { WorkerResources } from '../resources.js';

/** Maximum and minimum log events per step. What is written per session and step costs more than each of its events. */
const MAX_PER_STEP = 10_000;
const LEAST_PER_STEP = 50;
/** Duration of a step, in milliseconds: a large message takes a hundred times as long to index as a short one. */
const STEP_MS = 1_000;
/** Maximum steps per tick, so that shutdown waits for few of them. */
const MAX_AT_A_TICK = 100;
/** Maximum rest between two steps, in milliseconds. */
const MAX_REST_MS = 1_000;

/** What is derived from the log, in the order of its positions. */
interface FollowingIndex {
  /** Number of log events that it does not contain yet. */
  behind(): Promise<number>;
  /** Takes in at most `most` further events; resolves to the number of events left. */
  catchUp(most: number): Promise<number>;
}

/** Runs one piece of work after the other. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue for work that must not run side by side. A failure reaches only its own caller. */
export const oneAtATime = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
};

/**
 * Keeps an index near the log's head. Readers read the rest themselves, so nothing waits for it: after each step it pauses for
 * as long as that took (docs/adr/0067).
 *
 * @param inTurn shared by indexes that must not use the database side by side
 * @param patience ticks to wait while the log grows by few events, for an index that writes a row per session and step
 */
export const followLog = (
  index: FollowingIndex,
  inTurn: InTurn = oneAtATime(),
  { patience = 0, monotonicMs = () => performance.now() }: { patience?: number; monotonicMs?: () => number } = {},
): ((signal?: AbortSignal) => Promise<void>) => {
  let perStep = MAX_PER_STEP;
  const step = async (signal: AbortSignal | undefined): Promise<number> => {
    const rest = pacer({ mostMs: MAX_REST_MS, signal, monotonicMs });
    const startedAt = monotonicMs();
    const left = await index.catchUp(perStep);
    perStep = nextStep(perStep, monotonicMs() - startedAt);
    if (left > 0) await rest();
    return left;
  };
  let waited = 0;
  let leftLastTime = 0;
  return async (signal) => {
    let left = await index.behind();
    const grows = left !== leftLastTime;
    leftLastTime = left;
    if (grows && left < MAX_PER_STEP && (waited += 1) <= patience) return;
    waited = 0;
    for (let times = 0; left > 0 && times < MAX_AT_A_TICK && signal?.aborted !== true; times += 1) {
      left = await inTurn(() => step(signal));
    }
    leftLastTime = left;
  };
};

/** Log events of the next step, so that it takes about `STEP_MS`. Grows at most twofold. */
const nextStep = (events: number, tookMs: number): number => {
  const fitting = Math.floor(events * Math.min(2, STEP_MS / Math.max(1, tookMs)));
  return Math.min(MAX_PER_STEP, Math.max(LEAST_PER_STEP, fitting));
};

/** See `followLog`. Both indexes write a row per session and step; readers read or take in the rest. */
export const INDEX_PATIENCE = 5;

/**
 * Keeps the indexes of turns and of sessions by recency near the log's head: one step of one index at a time, so that
 * together they use at most half of the time of one CPU. Safe to run in several workers.
 */
export const indexTickers = ({ settings, eventStore, logger }: WorkerResources): readonly Ticker[] => {
  const inTurn = oneAtATime();
  const followed = { turns: eventStore.turns, 'session activity': eventStore.recentSessions };
  return Object.entries(followed).map(([name, index]) => {
    const tick = followLog(index, inTurn, { patience: INDEX_PATIENCE });
    return new Ticker(name, settings.SWEEP_INTERVAL_MS, tick, logger);
  });
};
