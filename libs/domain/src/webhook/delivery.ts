import { reasonOf, type AttemptOutcome, type AttemptReason } from './attempt.js';
import { nextWaitMs, parseRetryAfter, RETRY_AFTER_ABORT_MS } from './retry-schedule.js';

/**
 * State of one message to one endpoint. Its bytes and id are stored elsewhere and never change.
 *
 * - `pending`: an attempt is due at `dueAt`
 * - `delivered`: the endpoint answered 2xx
 * - `parked`: not retried until replayed; see `parkReason`
 */
export interface Delivery {
  readonly status: 'pending' | 'delivered' | 'parked';
  /** Counted attempts in this round. */
  readonly attempts: number;
  /** 1, incremented by each replay. */
  readonly round: number;
  /** When the next attempt is due (ISO 8601, ms); null unless pending. */
  readonly dueAt: string | null;
  /** Reason of the latest attempt; null before the first. */
  readonly lastReason: AttemptReason | null;
  readonly parkReason: ParkReason | null;
}

/**
 * - `endpoint_gone`: the endpoint answered 410
 * - `exhausted`: every attempt of the schedule failed
 * - `secret_unreadable`: the endpoint's secrets cannot be decrypted with the configured keys
 * - `subject_gone`: the subject was erased before the body was built
 * - `worker_lost`: several workers in a row were killed or froze during an attempt
 */
export type ParkReason = 'endpoint_gone' | 'exhausted' | 'secret_unreadable' | 'subject_gone' | 'worker_lost';

export interface AttemptVerdict {
  readonly delivery: Delivery;
  readonly reason: AttemptReason;
  /** False for an attempt aborted by our own shutdown. */
  readonly counted: boolean;
  /** The endpoint answered 410: send nothing until it is enabled again. */
  readonly disableEndpoint: boolean;
}

/** A new delivery, due immediately. */
export const newDelivery = (now: Date): Delivery => ({
  status: 'pending',
  attempts: 0,
  round: 1,
  dueAt: now.toISOString(),
  lastReason: null,
  parkReason: null,
});

/**
 * State of a delivery after an attempt. A delivery that is no longer pending (another worker was faster) stays
 * unchanged, except that a late success still counts: the endpoint has the message.
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
 * Makes a delivery due again with a full retry schedule. Idempotent: returns null if it is already pending.
 *
 * @param includeDelivered also resend a delivery that the endpoint acknowledged, for example after it lost data
 */
export const replayDelivery = (
  delivery: Delivery,
  { now, includeDelivered = false }: { readonly now: Date; readonly includeDelivered?: boolean },
): Delivery | null => {
  if (delivery.status === 'pending' || (delivery.status === 'delivered' && !includeDelivered)) return null;
  return { ...newDelivery(now), round: delivery.round + 1 };
};
