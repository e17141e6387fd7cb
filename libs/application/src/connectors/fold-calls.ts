import { AgentNameTaken, ConnectorNotFound, DomainError, MemoryNotFound } from '@turnkeeper/domain';
import { failure } from '../shared/failure.js';
import { CallLost, CallTooLarge, type CallClaim } from './notice-store.port.js';
import { HeldLeases } from '../work/held-leases.js';
import { requireConnector } from './manage-connectors.js';
import type { FoldDeps } from './call-deps.js';
import type { ConnectorVendors } from './connector-vendor.js';

/** Lease duration of a call; renewed during the fold. */
const LEASE_SECONDS = 5;
/** Maximum number of calls per run; the rest is folded in the next run. */
const AT_ONCE = 200;
/** Failures, possibly our own, before a call's notices are parked. */
const MAX_FAILURES = 10;

class WorkersLost extends failure('connector.worker_lost', 'Every attempt to fold the call lost its worker.') {}

export type FoldOutcome =
  | { readonly kind: 'folded' }
  | { readonly kind: 'parked'; readonly code: string }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Folds vendors' call notices into sessions. One worker at a time folds a call, in one transaction with the status of
 * its notices, so each notice is applied exactly once. Safe to run concurrently and in many processes.
 */
export class FoldCalls {
  private readonly leases: HeldLeases<CallClaim>;

  constructor(
    private readonly deps: FoldDeps & { readonly vendors: ConnectorVendors },
    /** Called for every folded call, for logging. */
    private readonly onCall: (claim: CallClaim, outcome: FoldOutcome) => void = () => undefined,
  ) {
    this.leases = new HeldLeases({
      ...deps,
      leaseSeconds: LEASE_SECONDS,
      renew: (claims) => deps.notices.renewCalls(claims, LEASE_SECONDS),
      lost: () => new CallLost(),
    });
  }

  /** Resolves to the number of due calls. Claims no more calls once the signal is aborted. */
  async execute(signal: AbortSignal): Promise<number> {
    for (let count = 0; count < AT_ONCE; count += 1) {
      if (signal.aborted) return count;
      const claim = await this.deps.notices.claimCall(LEASE_SECONDS);
      if (claim === null) return count;
      this.onCall(claim, await this.leases.hold(claim, signal, () => this.foldOne(claim)));
    }
    return AT_ONCE;
  }

  private async foldOne(claim: CallClaim): Promise<FoldOutcome> {
    try {
      // This fold has lost too many workers in a row; park the notices without another attempt.
      if (claim.failures > MAX_FAILURES) throw new WorkersLost();
      try {
        await this.fold(claim, false);
      } catch (error) {
        if (!(error instanceof AgentNameTaken)) throw error;
        await this.fold(claim, true);
      }
      return { kind: 'folded' };
    } catch (error) {
      return this.fail(claim, error);
    }
  }

  private fold(claim: CallClaim, isNameTaken: boolean): Promise<void> {
    return this.deps.unitOfWork.append(async (tx) => {
      const connector = await requireConnector(this.deps.connectors, claim.tenantId, claim.connectorId);
      const vendor = this.deps.vendors.get(connector.vendor);
      if (vendor === undefined) throw new Error(`This worker does not know the vendor ${connector.vendor}.`);
      return vendor.fold(this.deps, { tx, connector, claim, isNameTaken });
    });
  }

  private async fail(claim: CallClaim, error: unknown): Promise<FoldOutcome> {
    const { notices } = this.deps;
    // The connector was deleted or another worker took over; nothing to write.
    if (error instanceof ConnectorNotFound || error instanceof CallLost) return { kind: 'failed', error };
    const isPermanent = error instanceof DomainError || error instanceof CallTooLarge || error instanceof WorkersLost;
    if (!isPermanent && claim.failures < MAX_FAILURES) {
      await notices.retryCall(claim, 1_000 * 2 ** claim.failures);
      return { kind: 'failed', error };
    }
    const code = isPermanent ? error.code : 'connector.fold_failed';
    // A deleted memory never comes back, so the bodies meant for it are deleted too.
    await notices.parkCall(claim, code, { keepBodies: !(error instanceof MemoryNotFound) });
    return { kind: 'parked', code };
  }
}
