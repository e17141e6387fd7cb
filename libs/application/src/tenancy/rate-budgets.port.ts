export const RATE_KINDS = ['requests', 'bytes'] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** One process's request for part of a tenant's budget. */
export interface BudgetWant {
  readonly tenantId: string;
  readonly kind: RateKind;
  /** Refill rate. */
  readonly perSecond: number;
  /** Capacity. */
  readonly burst: number;
  /** Already spent beyond what was leased. Always deducted; the budget may become negative. */
  readonly debt: number;
  /** Amount to lease, as far as available. */
  readonly want: number;
}

export interface BudgetLease {
  readonly tenantId: string;
  readonly kind: RateKind;
  readonly granted: number;
  /** Budget left after this lease; negative if overspent. */
  readonly left: number;
  /** Processes that leased from this budget in the last seconds, including this one. */
  readonly holders: number;
}

/**
 * Budgets shared by all processes, one per tenant and kind. An unused budget is full. Budgets refill by the store's
 * clock.
 */
export interface RateBudgets {
  /** One lease per request, in any order. */
  lease(holder: string, wants: readonly BudgetWant[]): Promise<readonly BudgetLease[]>;
  /** Budget left now; null if nothing was ever leased from it. */
  left(tenantId: string, kind: RateKind): Promise<number | null>;
}
