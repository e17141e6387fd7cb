import type { BudgetLease } from '@turnkeeper/application';

/** A budget holds this many seconds of the rate, which allows a short burst after a quiet period. */
export const BURST_SECONDS = 2;
/** One lease is worth this many seconds of the tenant's whole rate. */
const SLICE_SECONDS = 0.25;
/** Maximum spent ahead of the store's answer; the next lease repays it. */
const CREDIT_SECONDS = 1;
/** A store that has not answered for this long counts as down. */
const SILENCE_MS = 1_000;
/** How often a store that is down is retried. */
const RETRY_MS = 1_000;

/**
 * One process's share of a budget. Spends what it has leased, and a little ahead while a lease is in progress. While
 * the store is down it refills locally at its part of the rate. All times are monotonic, in milliseconds.
 */
export class LeasedShare {
  /** Leased and not yet spent; negative if spent ahead. */
  private tokens = 0;
  /** Balance of the budget after the last lease. */
  private left: number;
  private leftAt: number;
  private holders = 1;
  private askedAt: number | null = null;
  private failedAt: number | null = null;
  /** How far this share has been refilled locally; null while the store answers. */
  private filledAt: number | null = null;
  private emptyUntil = Number.NEGATIVE_INFINITY;

  constructor(
    readonly perSecond: number,
    now: number,
  ) {
    this.left = this.burst;
    this.leftAt = now;
  }

  get burst(): number {
    return this.perSecond * BURST_SECONDS;
  }

  private get slice(): number {
    return Math.max(1, this.perSecond * SLICE_SECONDS);
  }

  /** Seconds until something can be spent again; 0 for now. */
  waitSeconds(now: number): number {
    this.fillAlone(now);
    if (this.tokens > 0) return 0;
    if (this.isAway(now)) return (1 - this.tokens) / this.ownRate;
    if (now < this.emptyUntil) return (this.emptyUntil - now) / 1_000;
    return this.tokens > -this.credit(now) ? 0 : 1;
  }

  /** Maximum that can be spent ahead now: at most this process's part of what the budget can still hold. */
  private credit(now: number): number {
    const left = this.leftNow(now);
    return left < 1 ? 0 : Math.max(1, Math.min(this.perSecond * CREDIT_SECONDS, left / this.holders));
  }

  private leftNow(now: number): number {
    return Math.min(this.burst, this.left + (Math.max(0, now - this.leftAt) / 1_000) * this.perSecond);
  }

  spend(cost: number): void {
    this.tokens -= cost;
  }

  /** Remaining budget across all processes, as far as this one knows. */
  remaining(now: number): number {
    return Math.max(0, Math.min(this.burst, Math.floor(this.leftNow(now) + this.tokens)));
  }

  needsLease(now: number): boolean {
    if (this.askedAt !== null || now < this.emptyUntil) return false;
    if (this.failedAt !== null && now < this.failedAt + RETRY_MS) return false;
    return this.tokens < this.slice / 2;
  }

  asked(now: number): void {
    this.askedAt = now;
  }

  /** Terms of a lease requested now. */
  terms(): { readonly debt: number; readonly want: number } {
    return { debt: Math.max(0, -this.tokens), want: Math.max(0, this.slice - Math.max(0, this.tokens)) };
  }

  /** @param debt repaid by this lease, as in `terms` */
  granted({ granted, left, holders }: BudgetLease, debt: number, now: number): void {
    this.askedAt = null;
    this.failedAt = null;
    this.filledAt = null;
    this.holders = Math.max(1, holders);
    this.left = left;
    this.leftAt = now;
    this.tokens = Math.min(this.burst, this.tokens + debt + granted);
    // Until there is a whole token again.
    if (this.tokens <= 0 && left < 1) this.emptyUntil = now + ((1 - left) / this.perSecond) * 1_000;
  }

  failed(now: number): void {
    this.filledAt ??= this.askedAt ?? now;
    this.askedAt = null;
    this.failedAt = now;
  }

  private get ownRate(): number {
    return this.perSecond / this.holders;
  }

  private isAway(now: number): boolean {
    return this.failedAt !== null || (this.askedAt !== null && now - this.askedAt > SILENCE_MS);
  }

  private fillAlone(now: number): void {
    if (!this.isAway(now)) return;
    const since = this.filledAt ?? this.askedAt ?? now;
    this.filledAt = now;
    const most = Math.max(1, this.burst / this.holders);
    if (this.tokens < most) this.tokens = Math.min(most, this.tokens + ((now - since) / 1_000) * this.ownRate);
  }
}
