export const RATE_KINDS = ['requests', 'bytes'] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** What one process asks for of one tenant's budget. */
export interface BudgetWant {
  readonly tenantId: string;
  readonly kind: RateKind;
  /** How fast the budget fills. */
  readonly perSecond: number;
  /** The most that it holds. */
  readonly burst: number;
  /** Spent already, beyond what was leased: taken from the budget in any case, which may go below zero. */
  readonly debt: number;
  /** To be leased, as far as there is so much. */
  readonly want: number;
}

export interface BudgetLease {
  readonly tenantId: string;
  readonly kind: RateKind;
  readonly granted: number;
  /** What the budget holds after this lease; below zero when more was spent than there was. */
  readonly left: number;
  /** Processes that leased of this budget in the last seconds, this one included. */
  readonly holders: number;
}

/**
 * Budgets of all processes together, one per tenant and kind. A budget that nobody has leased from is full; it fills by
 * the store's own clock.
 */
export interface RateBudgets {
  /** One lease for each want, in any order. */
  lease(holder: string, wants: readonly BudgetWant[]): Promise<readonly BudgetLease[]>;
  /** What is left of a budget now; null when nothing was leased from it yet. */
  left(tenantId: string, kind: RateKind): Promise<number | null>;
}
