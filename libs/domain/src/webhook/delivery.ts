import { reasonOf, type AttemptOutcome, type AttemptReason } from './attempt.js';
import { nextWaitMs, parseRetryAfter, RETRY_AFTER_ABORT_MS } from './retry-schedule.js';

/**
 * The state of one message to one endpoint. Its bytes and id are frozen elsewhere.
 *
 * - `pending`: an attempt is due at `dueAt`
 * - `delivered`: the endpoint answered 2xx
 * - `parked`: set aside until it is replayed; `parkReason` says why
 */
export interface Delivery {
  readonly status: 'pending' | 'delivered' | 'parked';
  /** Counted attempts of this round. */
  readonly attempts: number;
  /** 1, and one more for each replay. */
  readonly round: number;
  /** When the next attempt is due (ISO 8601, ms); null unless pending. */
  readonly dueAt: string | null;
  /** Why the newest attempt counted as it did; null before the first. */
  readonly lastReason: AttemptReason | null;
  readonly parkReason: ParkReason | null;
}

/**
 * - `endpoint_gone`: the endpoint answered 410 and wants nothing more
 * - `exhausted`: every attempt of the schedule failed
 * - `secret_unreadable`: the endpoint's secrets cannot be opened with the configured keys
 * - `subject_gone`: what it was about was erased before there was a body
 * - `worker_lost`: worker after worker was killed or froze during an attempt
 */
export type ParkReason = 'endpoint_gone' | 'exhausted' | 'secret_unreadable' | 'subject_gone' | 'worker_lost';

export interface AttemptVerdict {
  readonly delivery: Delivery;
  readonly reason: AttemptReason;
  /** False for an attempt that our own shutdown aborted. */
  readonly counted: boolean;
  /** The endpoint answered 410: send nothing more until it is enabled again. */
  readonly disableEndpoint: boolean;
}

/** A delivery that has not been tried yet: due at once. */
export const newDelivery = (now: Date): Delivery => ({
  status: 'pending',
  attempts: 0,
  round: 1,
  dueAt: now.toISOString(),
  lastReason: null,
  parkReason: null,
});

/**
 * What follows from an attempt. A delivery that is no longer pending (another worker was quicker) stays as it is,
 * except that a late success still counts: the endpoint has the message.
 *
 * @param random a number in [0, 1) for jitter
 * @param now when the attempt ended
 */
export const afterAttempt = (
  delivery: Delivery,
  outcome: AttemptOutcome,
  { now, random }: { readonly now: Date; readonly random: number },
): AttemptVerdict => {
  const reason = reasonOf(outcome);
  const verdict = (next: Partial<Delivery>, more: Partial<AttemptVerdict> = {}): AttemptVerdict => ({
    delivery: { ...delivery, ...next },
    reason,
    counted: true,
    disableEndpoint: false,
    ...more,
  });
  const after = (ms: number): string => new Date(now.getTime() + ms).toISOString();

  if (reason === 'aborted') {
    return verdict(delivery.status === 'pending' ? { dueAt: after(RETRY_AFTER_ABORT_MS) } : {}, { counted: false });
  }
  const attempts = delivery.attempts + 1;
  if (reason === 'delivered') {
    return verdict({ status: 'delivered', attempts, dueAt: null, lastReason: reason, parkReason: null });
  }
  if (delivery.status !== 'pending') return verdict({});
  const parked = { status: 'parked', attempts, dueAt: null, lastReason: reason } as const;
  if (reason === 'gone') return verdict({ ...parked, parkReason: 'endpoint_gone' }, { disableEndpoint: true });

  const wait = nextWaitMs(attempts, random, retryAfterOf(outcome, now));
  if (wait === null) return verdict({ ...parked, parkReason: 'exhausted' });
  return verdict({ attempts, dueAt: after(wait), lastReason: reason });
};

const retryAfterOf = (outcome: AttemptOutcome, now: Date): number | null =>
  outcome.kind === 'response' ? parseRetryAfter(outcome.retryAfter, now) : null;

/**
 * Makes a delivery due again, with a whole schedule before it. Null when there is nothing to do: one that is pending
 * is on its way already, so replaying twice sends once.
 *
 * @param includeDelivered also send again what the endpoint has acknowledged (it lost its own data, say)
 */
export const replayDelivery = (
  delivery: Delivery,
  { now, includeDelivered = false }: { readonly now: Date; readonly includeDelivered?: boolean },
): Delivery | null => {
  if (delivery.status === 'pending' || (delivery.status === 'delivered' && !includeDelivered)) return null;
  return { ...newDelivery(now), round: delivery.round + 1 };
};
