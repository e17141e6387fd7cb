import type { BudgetLease } from '@turnkeeper/application';

/** A budget holds what this many seconds give: a short burst after a quiet moment is let through. */
export const BURST_SECONDS = 2;
/** One lease is worth this many seconds of the tenant's whole rate. */
const SLICE_SECONDS = 0.25;
/** At most so much may be spent ahead of the store's answer; what was is paid by the next lease. */
const CREDIT_SECONDS = 1;
/** A store that has not answered for so long is away. */
const SILENCE_MS = 1_000;
/** How often a store that is away is asked again. */
const RETRY_MS = 1_000;

/**
 * One process's share of one budget. It spends what it has leased, and a little ahead while a lease is under way. While
 * the store is away it fills by itself, at its part of the rate. All times are of a monotonic clock, in milliseconds.
 */
export class LeasedShare {
  /** Leased and not yet spent; below zero, spent ahead. */
  private tokens = 0;
  /** What the budget held after the last lease. */
  private left: number;
  private leftAt: number;
  private holders = 1;
  private askedAt: number | null = null;
  private failedAt: number | null = null;
  /** Until when this share fills by itself; null while the store answers. */
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

  /** Seconds until something may be spent again; 0 for now. */
  waitSeconds(now: number): number {
    this.fillAlone(now);
    if (this.tokens > 0) return 0;
    if (this.isAway(now)) return (1 - this.tokens) / this.ownRate;
    if (now < this.emptyUntil) return (this.emptyUntil - now) / 1_000;
    return this.tokens > -this.credit(now) ? 0 : 1;
  }

  /** So much may be spent ahead now: no more than this process's part of what the budget can still hold. */
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

  /** What is left of the budget for all processes, as far as this one can know. */
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

  /** What to ask for at the moment of asking. */
  terms(): { readonly debt: number; readonly want: number } {
    return { debt: Math.max(0, -this.tokens), want: Math.max(0, this.slice - Math.max(0, this.tokens)) };
  }

  /** @param debt what was paid by this lease, as `terms` said */
  granted({ granted, left, holders }: BudgetLease, debt: number, now: number): void {
    this.askedAt = null;
    this.failedAt = null;
    this.filledAt = null;
    this.holders = Math.max(1, holders);
    this.left = left;
    this.leftAt = now;
    this.tokens = Math.min(this.burst, this.tokens + debt + granted);
    // Until there is one whole token again.
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
