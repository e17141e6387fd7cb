import { limitsOf, TooMuchDueWork, type TenantLimits } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { DueWorkGate } from './due-work.js';

describe('the due work of a tenant', () => {
  const given = (due: number) => {
    const state = { due, counts: 0, now: 0 };
    const limits = { of: () => limitsOf({} as TenantLimits, { dueWork: 10 }) };
    const usage = {
      dueWork: async (_: string, most: number) => {
        state.counts += 1;
        return Math.min(most, state.due);
      },
    };
    const gate = new DueWorkGate(limits, usage, () => state.now);
    return { state, check: async (route: string) => gate.check(route, 'acme') };
  };

  it('rejects requests for more of it above the limit, until some is done', async () => {
    const { state, check } = given(11);
    await expect(check('generateFromSession')).rejects.toThrow(TooMuchDueWork);
    state.due = 10;
    state.now = 1_001;
    await check('generateFromSession');
  });

  it('rejects no append, and counts nothing for one', async () => {
    const { state, check } = given(1_000);
    await check('appendEvents');
    expect(state.counts).toBe(0);
  });

  it('is counted once for concurrent requests', async () => {
    const { state, check } = given(1);
    await Promise.all(Array.from({ length: 20 }, () => check('replayWebhookDeliveries')));
    expect(state.counts).toBe(1);
  });
});
