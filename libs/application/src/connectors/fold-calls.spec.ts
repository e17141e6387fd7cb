import { expect, it, vi } from 'vitest';
import { FoldCalls } from './fold-calls.js';
import { CallTooLarge, type CallClaim } from './notice-store.port.js';

const CLAIM: CallClaim = {
  connectorId: 'c',
  tenantId: 't',
  callKey: 'call',
  settledRound: null,
  failures: 0,
  version: 1,
  fence: 1,
};

/** Folds one call, whose transaction fails with this error. */
const fold = async (error: Error) => {
  const claims = [CLAIM];
  const notices = {
    claimCall: async () => claims.shift() ?? null,
    parkCall: vi.fn(async () => undefined),
    retryCall: vi.fn(async () => undefined),
  };
  const deps = {
    notices,
    unitOfWork: { append: async () => Promise.reject(error) },
    every: () => () => undefined,
    monotonicMs: () => 0,
  };
  await new FoldCalls(deps as unknown as ConstructorParameters<typeof FoldCalls>[0]).execute(
    new AbortController().signal,
  );
  return notices;
};

it('parks a call whose notices are too large, without further attempts', async () => {
  const { parkCall, retryCall } = await fold(new CallTooLarge());
  expect(parkCall).toHaveBeenCalledExactlyOnceWith(CLAIM, 'connector.call_too_large', { keepBodies: true });
  expect(retryCall).not.toHaveBeenCalled();
});

it('retries a call after any other failure', async () => {
  const { parkCall, retryCall } = await fold(new Error('away'));
  expect(retryCall).toHaveBeenCalledExactlyOnceWith(CLAIM, 1_000);
  expect(parkCall).not.toHaveBeenCalled();
});
