import type { Ids } from '../shared/clock.port.js';
import type { Connector } from './connector-store.port.js';
import type { NewNotice } from './notice-store.port.js';
import type { Ending } from '../shared/transaction.port.js';
import type { CallWork, FoldDeps } from './call-deps.js';

/** A request to a connector's callback URL, before its signature is verified. */
export interface VendorRequest {
  readonly raw: Uint8Array;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A notice in a verified request, and how it is stored. */
export type ReadNotice = Omit<NewNotice, 'connectorId' | 'tenantId'>;

/**
 * A voice platform's callbacks. The three methods run in this order: `verify` and `read` in the request, `fold` later,
 * in a worker.
 *
 * @typeParam Verified what `verify` passes on to `read`
 */
export interface ConnectorVendor<Verified = unknown> {
  /** `vendor` of the connectors that receive these callbacks. */
  readonly name: string;
  /**
   * Verifies the signature.
   *
   * @param trust the connector's valid secrets, and the time of receipt
   * @throws ConnectorSignatureInvalid, ConnectorSignatureStale
   */
  verify(request: VendorRequest, trust: { readonly secrets: readonly string[]; readonly now: Date }): Verified;
  /** The notices to store. Unreadable ones are parked instead of refused: vendors give up after a few attempts. */
  read(verified: Verified, context: { readonly connector: Connector; readonly ids: Ids }): readonly ReadNotice[];
  /**
   * Turns the pending notices of one call into events of its session:
   *
   * 1. Reads them (`notices.noticesOf`), and locks the call's agent (`agents.findForUpdate`), whose id is derived from the
   *    connector and the call. Ids of events are derived too, so that a repeat appends nothing. The time is
   *    `tx.recordedAt()`.
   * 2. Finds the place: the agent's, or `connectors.placeOfInstance`, or from the notices. If the user is still unknown,
   *    throws `ConnectorActorUnknown`: the notices are parked.
   * 3. Makes the events: `startOfCall` if there is no agent, messages, `endOfCall`. Messages after the end of the call
   *    need `CallSession.repeatEnd`.
   * 4. Marks the notices that are done (`notices.mark`), with the code from `repeatEnd`.
   * 5. Ends the claim in any case (`notices.finishCall`); `at` says when notices that still wait are due again.
   * 6. Returns `CallSession.end`, or `commitOnly` without events.
   */
  fold(deps: FoldDeps, work: CallWork): Promise<Ending<void>>;
}

/** By name. */
export type ConnectorVendors = ReadonlyMap<string, ConnectorVendor>;
