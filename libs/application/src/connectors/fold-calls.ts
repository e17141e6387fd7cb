import { AgentNameTaken, ConnectorNotFound, DomainError, MemoryNotFound } from '@turnkeeper/domain';
import { CallLost, type CallClaim } from '../ports/notice-store.port.js';
import { requireConnector } from './manage-connectors.js';
import type { FoldDeps } from './call-deps.js';
import { foldAgoraCall } from './fold-agora-call.js';
import { foldZegoCall } from './fold-zego-call.js';

/** Longer than any fold takes. */
const LEASE_SECONDS = 60;
/** Calls of one go; the rest is due at the next. */
const AT_ONCE = 200;
/** Failures that may be ours before a call's notices are parked. */
const MAX_FAILURES = 10;

export type FoldOutcome =
  | { readonly kind: 'folded' }
  | { readonly kind: 'parked'; readonly code: string }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Folds what vendors told about calls into their sessions. A call is folded by one worker at a time, in one transaction
 * with the marks on its notices, so each notice counts once. Safe to run in many processes and at any time.
 */
export class FoldCalls {
  constructor(
    private readonly deps: FoldDeps,
    /** Told about every call that was folded, for logs. */
    private readonly onCall: (claim: CallClaim, outcome: FoldOutcome) => void = () => undefined,
  ) {}

  /** Resolves to the number of calls that were due. */
  async execute(): Promise<number> {
    for (let count = 0; count < AT_ONCE; count += 1) {
      const claim = await this.deps.notices.claimCall(LEASE_SECONDS);
      if (claim === null) return count;
      this.onCall(claim, await this.foldOne(claim));
    }
    return AT_ONCE;
  }

  private async foldOne(claim: CallClaim): Promise<FoldOutcome> {
    try {
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
      if (connector.vendor === 'agora') return foldAgoraCall(this.deps, { tx, connector, claim, isNameTaken });
      return foldZegoCall(this.deps, { tx, connector, claim, isNameTaken });
    });
  }

  private async fail(claim: CallClaim, error: unknown): Promise<FoldOutcome> {
    const { notices } = this.deps;
    // Deleted meanwhile, or taken over by another worker: there is nothing to write.
    if (error instanceof ConnectorNotFound || error instanceof CallLost) return { kind: 'failed', error };
    const isHopeless = error instanceof DomainError || claim.failures >= MAX_FAILURES;
    if (!isHopeless) {
      await notices.retryCall(claim, 1_000 * 2 ** claim.failures);
      return { kind: 'failed', error };
    }
    const code = error instanceof DomainError ? error.code : 'connector.fold_failed';
    // A memory that is gone does not come back, and what would have gone into it goes as well.
    await notices.parkCall(claim, code, { keepBodies: !(error instanceof MemoryNotFound) });
    return { kind: 'parked', code };
  }
}
