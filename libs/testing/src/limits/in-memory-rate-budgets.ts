import type { BudgetLease, BudgetWant, RateBudgets, RateKind } from '@turnkeeper/application';

const HOLDER_MS = 10_000;

interface Budget {
  tokens: number;
  filledAt: number;
  perSecond: number;
  burst: number;
  readonly holders: Map<string, number>;
}

/** Rate budgets shared by the processes of one test. */
export class InMemoryRateBudgets implements RateBudgets {
  private readonly budgets = new Map<string, Budget>();

  constructor(private readonly nowMs: () => number) {}

  async lease(holder: string, wants: readonly BudgetWant[]): Promise<readonly BudgetLease[]> {
    return wants.map((want) => this.leaseOne(holder, want));
  }

  async left(tenantId: string, kind: RateKind): Promise<number | null> {
    const budget = this.budgets.get(`${tenantId} ${kind}`);
    return budget === undefined ? null : this.filled(budget, budget);
  }

  private leaseOne(holder: string, { tenantId, kind, perSecond, burst, debt, want }: BudgetWant): BudgetLease {
    const now = this.nowMs();
    const key = `${tenantId} ${kind}`;
    const budget = this.budgets.get(key) ?? {
      tokens: burst,
      filledAt: now,
      perSecond,
      burst,
      holders: new Map<string, number>(),
    };
    this.budgets.set(key, budget);
    const available = this.filled(budget, { perSecond, burst }) - debt;
    const granted = Math.max(0, Math.min(want, available));
    Object.assign(budget, { tokens: available - granted, filledAt: now, perSecond, burst });
    budget.holders.set(holder, now);
    const holders = [...budget.holders.values()].filter((at) => at > now - HOLDER_MS).length;
    return { tenantId, kind, granted, left: budget.tokens, holders };
  }

  private filled({ tokens, filledAt }: Budget, { perSecond, burst }: Pick<Budget, 'perSecond' | 'burst'>): number {
    return Math.min(burst, tokens + (Math.max(0, this.nowMs() - filledAt) / 1_000) * perSecond);
  }
}
