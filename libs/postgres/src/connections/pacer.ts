import { setTimeout as delay } from 'node:timers/promises';

export interface Pace {
  /** Maximum rest, in milliseconds. */
  readonly mostMs: number;
  /** Its abort ends a rest early. */
  readonly signal?: AbortSignal | undefined;
  readonly monotonicMs?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

const sleepUnlessAborted = (ms: number, signal?: AbortSignal): Promise<unknown> =>
  delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);

/**
 * Starts a batch of bulk work. The returned function pauses for as long as the batch took: batches write much WAL,
 * which the commits of appends flush too, so they get half of the time (docs/adr/0067).
 */
export const pacer = ({
  mostMs,
  signal,
  monotonicMs = () => performance.now(),
  sleep = sleepUnlessAborted,
}: Pace): (() => Promise<void>) => {
  const startedAt = monotonicMs();
  return async () => void (await sleep(Math.min(mostMs, monotonicMs() - startedAt), signal));
};

/** Runs bulk work on some items at a time, with a pause after each batch but the last. */
export const inBatches = async <T>(
  items: readonly T[],
  { atOnce, ...pace }: { readonly atOnce: number } & Pace,
  work: (batch: readonly T[]) => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < items.length; start += atOnce) {
    const rest = pacer(pace);
    await work(items.slice(start, start + atOnce));
    if (start + atOnce < items.length) await rest();
  }
};
