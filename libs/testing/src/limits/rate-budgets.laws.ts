import { randomUUID } from 'node:crypto';
import type { BudgetWant, RateBudgets } from '@turnkeeper/application';
import { describe, expect, it } from 'vitest';

/** Contract of every budget store. Budgets refill very slowly, because the store uses its own clock. */
export const rateBudgetsLaws = (name: string, given: () => RateBudgets): void => {
  describe(`the budgets of ${name}`, () => {
    const want = (tenantId: string, more: Partial<BudgetWant> = {}): BudgetWant => ({
      tenantId,
      kind: 'requests',
      perSecond: 1e-6,
      burst: 10,
      debt: 0,
      want: 4,
      ...more,
    });

    it('start full and never grant more than they have', async () => {
      const [budgets, tenantId] = [given(), randomUUID()];
      expect(await budgets.left(tenantId, 'requests')).toBeNull();
      const granted: number[] = [];
      for (const holder of ['a', 'b', 'a', 'b']) {
        const [lease] = await budgets.lease(holder, [want(tenantId)]);
        granted.push(Math.round(lease!.granted));
      }
      expect(granted).toEqual([4, 4, 2, 0]);
      expect(await budgets.left(tenantId, 'requests')).toBeCloseTo(0, 3);
    });

    it('are charged for spending without a lease, below zero if necessary', async () => {
      const [budgets, tenantId] = [given(), randomUUID()];
      const [first] = await budgets.lease('a', [want(tenantId, { debt: 3 })]);
      expect([first!.granted, first!.left]).toEqual([4, 3]);
      const [second] = await budgets.lease('a', [want(tenantId, { debt: 8 })]);
      expect(second!.granted).toBe(0);
      expect(second!.left).toBeCloseTo(-5, 3);
    });

    it('refill over time, up to the burst', async () => {
      const [budgets, tenantId] = [given(), randomUUID()];
      await budgets.lease('a', [want(tenantId, { want: 10 })]);
      const quick = { perSecond: 1e9, want: 100 };
      await expect
        .poll(async () => (await budgets.lease('a', [want(tenantId, quick)]))[0]!.granted, { timeout: 10_000 })
        .toBeGreaterThan(0);
      await expect.poll(() => budgets.left(tenantId, 'requests'), { timeout: 10_000 }).toBe(10);
    });

    it('are separate per tenant and kind, and can be leased together', async () => {
      const [budgets, one, other] = [given(), randomUUID(), randomUUID()];
      await budgets.lease('a', [want(one, { want: 10 })]);
      const leases = await budgets.lease('a', [want(other), want(one), want(one, { kind: 'bytes' })]);
      const of = (tenantId: string, kind: string) =>
        Math.round(leases.find((lease) => lease.tenantId === tenantId && lease.kind === kind)!.granted);
      expect([of(other, 'requests'), of(one, 'requests'), of(one, 'bytes')]).toEqual([4, 0, 4]);
    });

    it('count the processes that lease from them and never grant the same tokens twice', async () => {
      const [budgets, tenantId] = [given(), randomUUID()];
      const leases = await Promise.all(
        Array.from({ length: 12 }, (_, n) => budgets.lease(`holder-${n % 3}`, [want(tenantId, { want: 1 })])),
      );
      expect(leases.reduce((sum, [lease]) => sum + lease!.granted, 0)).toBeCloseTo(10, 3);
      expect(Math.max(...leases.map(([lease]) => lease!.holders))).toBe(3);
    });
  });
};
