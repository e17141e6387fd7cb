import type { AttemptOutcome, AttemptVerdict, Delivery, ParkReason, WebhookEvent } from '@turnkeeper/domain';
import { failure } from '../shared/failure.js';
import type { Transaction } from '../shared/transaction.port.js';
import type { WebhookEndpoint } from './webhook-endpoint-store.port.js';
import type { PageAfter } from '../memories/memory-store.port.js';

/** One message to one endpoint. */
export interface NewDelivery {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly endpointId: string;
  readonly eventType: WebhookEvent;
  /** The log event that caused it. */
  readonly causeEventId: string;
  /** Null if the message is not about an agent. */
  readonly agentId: string | null;
  /** Stable across attempts. */
  readonly messageId: string;
  /** The frozen request body; null if it is composed before the first attempt. */
  readonly body: Uint8Array | null;
  /** Its place among the deliveries about its agent that must arrive in order; null if it may arrive in any. */
  readonly place: number | null;
  /** The session of the event; null if it has none. */
  readonly sessionKey: number | null;
}

/** A delivery that this worker may attempt now. */
export interface DeliveryClaim extends Omit<NewDelivery, 'sessionKey'> {
  readonly endpoint: WebhookEndpoint;
  /** Why the endpoint's secrets cannot be decrypted, so that nothing can be signed; null if they could be. */
  readonly secretsProblem: string | null;
  /** State before this attempt. */
  readonly delivery: Delivery;
  /** Fencing token; checked when the attempt is written. */
  readonly fence: number;
  /** Claim time by the database's clock. Due times are derived from it because they are compared with that clock. */
  readonly claimedAt: Date;
}

/** Maximum number of deliveries queued or running at the same time, across all workers. */
export interface DeliveryLimits {
  /** Per endpoint. */
  readonly perEndpoint: number;
  /** Per endpoint whose last attempts timed out. */
  readonly perTimedOut: number;
  /** Across all endpoints whose last attempts timed out. */
  readonly timedOutTotal: number;
  /** Maximum number of admissions per call; the rest waits for the next call. */
  readonly atOnce: number;
}

/** A delivery that may be enqueued. */
export interface Admission {
  readonly deliveryId: string;
  readonly endpointId: string;
  /**
   * It used the endpoint's last free slot. More deliveries may be due; they can be admitted once an attempt has ended.
   */
  readonly isLastRoom: boolean;
}

/** A delivery whose worker was lost before it stored an outcome. */
export interface LostDelivery {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly tenantId: string;
  /** Consecutive workers lost during this delivery. */
  readonly lost: number;
  readonly parked: boolean;
}

/** The lease on a delivery expired or was taken over; another worker may be attempting it. */
export class DeliveryLeaseLost extends failure('delivery.lease_lost', 'The lease on this delivery was lost.') {}

export interface AttemptView {
  /** Counted across all rounds, from 1. */
  readonly attempt: number;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly detail: string | null;
  /** The beginning of the response's body; null without a body, and after a purge. */
  readonly response: string | null;
}

export interface DeliveryView {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly messageId: string;
  readonly eventType: WebhookEvent;
  readonly agentId: string | null;
  readonly delivery: Delivery;
  readonly createdAt: string;
  /** When the body was deleted at the end of its retention (ISO 8601). A purged delivery cannot be replayed. */
  readonly purgedAt: string | null;
  /** Oldest first. */
  readonly history: readonly AttemptView[];
}

/** A delivery with the beginning of its body. */
export interface DeliveryContent extends DeliveryView {
  /** Null before the first attempt, and after a purge. */
  readonly body: Uint8Array | null;
  /** Size of the whole body in bytes. */
  readonly bodyBytes: number | null;
}

/** Keyset cursor of a delivery listing: the page starts after this delivery. */
export type DeliveryPlace = Pick<DeliveryView, 'createdAt' | 'deliveryId'>;

/** Filters for the deliveries of an endpoint. Absent fields do not filter. */
export interface DeliveryFilter {
  readonly deliveryId?: string | undefined;
  readonly status?: Delivery['status'] | undefined;
  readonly eventType?: WebhookEvent | undefined;
  /** By time of planning; start is inclusive, end is exclusive (ISO 8601). */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface DeliveryStore {
  /**
   * Adds deliveries, due immediately. Existing ones are left unchanged. Those of a session that has been erased since its
   * event was read are left out.
   */
  insert(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void>;
  /**
   * Marks and returns deliveries that may be enqueued: due, not leased, longest overdue first, within the limits per
   * endpoint. A delivery with a place waits until those before it are final, or one of them has failed and is older than
   * a minute. A delivery that is not claimed within a few seconds is returned again, so a wiped queue refills itself.
   */
  admit(limits: DeliveryLimits): Promise<readonly Admission[]>;
  /**
   * Claims a due delivery. Resolves to null if it is not due or is leased. An expired lease still blocks other workers
   * until `settleLost`.
   */
  claim(deliveryId: string, leaseSeconds: number): Promise<DeliveryClaim | null>;
  /** Extends the leases to this duration from now; resolves to the claims that are still held. */
  renew(claims: readonly DeliveryClaim[], leaseSeconds: number): Promise<readonly DeliveryClaim[]>;
  /**
   * Releases deliveries of lost workers: they become due again after a random backoff that grows with the number of
   * lost workers, or are parked at `maxLost` consecutive losses. Frees the endpoint's slot.
   */
  settleLost(maxLost: number): Promise<readonly LostDelivery[]>;
  /**
   * Stores the body of a message about an agent unless one is stored already, and resolves to the stored body. Resolves to
   * null if the fence has changed: another worker holds the delivery, or its content was erased in the meantime. Waits for
   * an erasure of the session that is under way; if a message is gone, gives up the claim, so that the body is composed anew.
   *
   * @param messageIds events that the body contains
   */
  freezeBody(claim: DeliveryClaim, body: Uint8Array, messageIds: readonly string[]): Promise<Uint8Array | null>;
  /**
   * Stores the attempt and its result; a no-op if the fence has changed. If the verdict disables the endpoint, its
   * other pending deliveries are parked.
   */
  finish(claim: DeliveryClaim, outcome: AttemptOutcome, verdict: AttemptVerdict): Promise<void>;
  /** Parks a claimed delivery without an attempt; a no-op if the fence has changed. */
  park(claim: DeliveryClaim, reason: ParkReason): Promise<void>;
  /** Newest first, including all attempts. */
  list(
    tenantId: string,
    endpointId: string,
    filter: DeliveryFilter,
    page: PageAfter<DeliveryPlace>,
  ): Promise<readonly DeliveryView[]>;
  /** One delivery with at most `maxBytes` of its body; null if the endpoint has none with this id. */
  content(tenantId: string, endpointId: string, deliveryId: string, maxBytes: number): Promise<DeliveryContent | null>;
  /**
   * Applies `replayDelivery` to each match; resolves to the number of deliveries that are pending again. Purged
   * deliveries are skipped, and all if the endpoint is disabled.
   */
  replay(
    tenantId: string,
    endpointId: string,
    filter: DeliveryFilter,
    options: { readonly includeDelivered: boolean },
  ): Promise<number>;
  /** Makes each pending match due now; resolves to the number of those that were due later. */
  sendNow(tenantId: string, endpointId: string, filter: DeliveryFilter): Promise<number>;
  /**
   * Deletes the bodies of deliveries that are not pending and are older than `days`, or older than the event retention
   * of their agent's memory. Processes one batch; resolves to false if nothing is left.
   */
  purgeBodies(days: number, limit: number): Promise<boolean>;
  /**
   * Deletes deliveries older than `days` whose body is purged, with their attempts. History deliveries are retained as
   * long as their agent, because an erasure reports who received one. Resolves to true if there may be more.
   */
  forgetFinal(days: number, limit: number): Promise<boolean>;
}
