import type { AttemptOutcome, AttemptVerdict, Delivery, ParkReason, WebhookEvent } from '@turnkeeper/domain';
import type { Transaction } from './transaction.port.js';
import type { WebhookEndpoint } from './webhook-endpoint-store.port.js';

/** One message for one endpoint. */
export interface NewDelivery {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly endpointId: string;
  readonly eventType: WebhookEvent;
  /** The log event that caused it. */
  readonly causeEventId: string;
  /** Null for what is not about an agent. */
  readonly agentId: string | null;
  /** The same on every attempt. */
  readonly messageId: string;
  /** The frozen bytes; null where they are composed before the first attempt. */
  readonly body: Uint8Array | null;
}

/** A delivery that this worker may attempt now. */
export interface DeliveryClaim extends NewDelivery {
  readonly endpoint: WebhookEndpoint;
  /** Why the endpoint's secrets cannot be opened, so that nothing can be signed; null where they were opened. */
  readonly secretsProblem: string | null;
  /** Where it stands before this attempt. */
  readonly delivery: Delivery;
  /** Must still hold when the attempt is written. */
  readonly fence: number;
  /** When it was claimed, by the database's clock. Due times are compared with that clock, so they are derived from it. */
  readonly claimedAt: Date;
}

/** How many deliveries may be queued or running at a time, over all workers. */
export interface DeliveryLimits {
  /** Of one endpoint. */
  readonly perEndpoint: number;
  /** Of one whose last attempts timed out. */
  readonly perTimedOut: number;
  /** Of all those together. */
  readonly timedOutTotal: number;
  /** Admitted in one go; the rest waits for the next. */
  readonly atOnce: number;
}

/** A delivery that may be put into the queue. */
export interface Admission {
  readonly deliveryId: string;
  readonly endpointId: string;
  /** It took the last room of its endpoint: more may be due, and can be admitted when an attempt has ended. */
  readonly isLastRoom: boolean;
}

/** A delivery whose worker was lost before it noted an outcome. */
export interface LostDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly tenantId: string;
  /** Workers that were lost with it in a row. */
  readonly lost: number;
  readonly parked: boolean;
}

/** A worker lost the lease on a delivery: another one may be attempting it. */
export class DeliveryLeaseLost extends Error {
  readonly code = 'delivery.lease_lost';
  constructor() {
    super('The lease on this delivery was lost.');
    this.name = 'DeliveryLeaseLost';
  }
}

export interface AttemptView {
  /** Counted over all rounds, from 1. */
  readonly attempt: number;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly detail: string | null;
}

export interface DeliveryView {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly messageId: string;
  readonly eventType: WebhookEvent;
  readonly agentId: string | null;
  readonly delivery: Delivery;
  readonly createdAt: string;
  /** When its bytes were dropped because their time was over (ISO 8601); it cannot be replayed any more. */
  readonly purgedAt: string | null;
  /** Oldest first. */
  readonly history: readonly AttemptView[];
}

/** A place in a listing of deliveries: behind this one. */
export interface DeliveryPlace {
  readonly createdAt: string;
  readonly deliveryId: string;
}

/** Which deliveries of an endpoint; what is absent does not matter. */
export interface DeliveryFilter {
  readonly deliveryId?: string | undefined;
  readonly status?: Delivery['status'] | undefined;
  readonly eventType?: WebhookEvent | undefined;
  /** Planned at or after, and before (ISO 8601). */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface DeliveryStore {
  /** Adds deliveries, due at once; one that is there already stays as it is. */
  insert(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void>;
  /**
   * Deliveries that may be put into the queue now: due, held by nobody, longest due first, and of each endpoint only so
   * many that the limits hold. They are marked, and given again when nobody has claimed them within a few seconds, so
   * that a queue that was wiped is filled again.
   */
  admit(limits: DeliveryLimits): Promise<readonly Admission[]>;
  /**
   * Takes a due delivery. Resolves to null when it is not due or when it is leased. A lease that has run out still keeps
   * others away, until `settleLost`.
   */
  claim(deliveryId: string, leaseSeconds: number): Promise<DeliveryClaim | null>;
  /** Makes leases last this long from now on; resolves to the claims that still hold. */
  renew(claims: readonly DeliveryClaim[], leaseSeconds: number): Promise<readonly DeliveryClaim[]>;
  /**
   * Takes back what lost workers held: due again after a short random pause that grows with their number, or parked
   * when so many workers in a row were lost with it. Its endpoint has room again.
   */
  settleLost(maxLost: number): Promise<readonly LostDelivery[]>;
  /**
   * Keeps the bytes if none are kept yet, and gives the bytes that are kept; null when the fence has moved on: another
   * worker has it, or what the bytes tell of was erased meanwhile.
   */
  freezeBody(claim: DeliveryClaim, body: Uint8Array): Promise<Uint8Array | null>;
  /**
   * Writes the attempt and its consequence; nothing when the fence has moved on. When the endpoint is to be disabled,
   * whatever else is pending for it is parked.
   */
  finish(claim: DeliveryClaim, outcome: AttemptOutcome, verdict: AttemptVerdict): Promise<void>;
  /** Sets a claimed delivery aside without an attempt; nothing when the fence has moved on. */
  park(claim: DeliveryClaim, reason: ParkReason): Promise<void>;
  /** Newest first, with every attempt. */
  list(
    tenantId: string,
    endpointId: string,
    filter: DeliveryFilter,
    page: { readonly limit: number; readonly after?: DeliveryPlace | undefined },
  ): Promise<readonly DeliveryView[]>;
  /**
   * Does to each of them what `replayDelivery` says; resolves to how many are on their way again. Purged ones stay.
   */
  replay(
    tenantId: string,
    endpointId: string,
    filter: DeliveryFilter,
    options: { readonly includeDelivered: boolean },
  ): Promise<number>;
  /**
   * Drops the bytes of deliveries that are not pending and were planned longer ago than so many days, or than the
   * memory of their agent keeps its events; a batch at a time, false when nothing is left.
   */
  purgeBodies(days: number, limit: number): Promise<boolean>;
  /**
   * Deletes deliveries that are older than this and have no body any more, with their attempts; those of histories stay as
   * long as their agent, because an erasure tells who got one. True when there may be more.
   */
  forgetFinal(days: number, limit: number): Promise<boolean>;
}
