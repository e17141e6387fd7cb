import { afterAttempt, validSecrets, type AttemptReason, type ParkReason } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { DeliveryLeaseLost, type DeliveryClaim } from './delivery-store.port.js';
import { HeldLeases } from '../work/held-leases.js';
import { messageBody } from './message-body.js';
import { wholeHistoryOf } from './whole-history.js';

export type DeliveryResult =
  | { readonly kind: 'not_due' }
  /** Parked without an attempt. */
  | {
      readonly kind: 'parked';
      readonly endpointId: string;
      readonly reason: ParkReason;
      /** Details for the operator; never a secret value. */
      readonly problem?: string;
      readonly isInOrder: boolean;
    }
  | {
      readonly kind: 'attempted';
      readonly endpointId: string;
      readonly status: 'pending' | 'delivered' | 'parked';
      readonly reason: AttemptReason;
      readonly attempt: number;
      readonly durationMs: number;
      /** Deliveries about the same agent may wait for this one. */
      readonly isInOrder: boolean;
    };

export interface DeliverySettings {
  /** Maximum body size in bytes. */
  readonly maxBytes: number;
  /** Lease duration in seconds; renewed during the attempt. */
  readonly leaseSeconds: number;
}

/** Makes one attempt of a due delivery and records the result. */
export class DeliverWebhook {
  private readonly leases: HeldLeases<DeliveryClaim>;

  constructor(
    private readonly deps: Pick<
      Ports,
      'deliveries' | 'agents' | 'eventStore' | 'historyLinks' | 'transport' | 'monotonicMs' | 'every'
    > & {
      readonly random: () => number;
      readonly settings: DeliverySettings;
    },
  ) {
    const { leaseSeconds } = deps.settings;
    this.leases = new HeldLeases({
      ...deps,
      leaseSeconds,
      renew: (claims) => deps.deliveries.renew(claims, leaseSeconds),
      lost: () => new DeliveryLeaseLost(),
    });
  }

  async execute(deliveryId: string, signal: AbortSignal): Promise<DeliveryResult> {
    const { deliveries, settings } = this.deps;
    const claim = await deliveries.claim(deliveryId, settings.leaseSeconds);
    if (claim === null) return { kind: 'not_due' };
    return this.leases.hold(claim, signal, (held) => this.attempt(claim, held));
  }

  private async attempt(claim: DeliveryClaim, signal: AbortSignal): Promise<DeliveryResult> {
    const { deliveries, transport, monotonicMs, random } = this.deps;
    const claimedMs = monotonicMs();
    // The local wall clock may be wrong, so due times and timestamps follow the database's clock.
    const now = (): Date => new Date(claim.claimedAt.getTime() + monotonicMs() - claimedMs);
    const { endpoint, messageId, secretsProblem } = claim;
    const { endpointId } = endpoint;
    const isInOrder = claim.place !== null;
    // A replay sends it once the key is available again.
    if (secretsProblem !== null) {
      await deliveries.park(claim, 'secret_unreadable');
      return { kind: 'parked', endpointId, reason: 'secret_unreadable', problem: secretsProblem, isInOrder };
    }
    const composed = claim.body ?? (await this.composeBody(claim, now()));
    if (composed === null) {
      await deliveries.park(claim, 'subject_gone');
      return { kind: 'parked', endpointId, reason: 'subject_gone', isInOrder };
    }
    const body =
      composed instanceof Uint8Array
        ? composed
        : await deliveries.freezeBody(claim, composed.body, composed.messageIds);
    if (body === null) return { kind: 'not_due' };
    const at = now();
    const outcome = await transport.attempt(
      {
        url: endpoint.url,
        format: endpoint.format,
        secrets: validSecrets(endpoint.secrets, at).map(({ secret }) => secret),
        messageId,
        body,
        at,
        attempt: claim.delivery.attempts + 1,
      },
      signal,
    );
    const verdict = afterAttempt(claim.delivery, outcome, { now: now(), random: random() });
    await deliveries.finish(claim, outcome, verdict);
    const { status, attempts } = verdict.delivery;
    const { durationMs } = outcome;
    return { kind: 'attempted', endpointId, status, reason: verdict.reason, attempt: attempts, durationMs, isInOrder };
  }

  private async composeBody(
    claim: DeliveryClaim,
    now: Date,
  ): Promise<{ readonly body: Uint8Array; readonly messageIds: readonly string[] } | null> {
    const { agents, eventStore, historyLinks, settings } = this.deps;
    const { tenantId, agentId, eventType, messageId, endpoint } = claim;
    const agent = agentId === null ? null : await agents.find(tenantId, agentId);
    if (agent === null) return null;
    const isHistory = eventType === 'agent.history';
    const historyUrl = isHistory ? await historyLinks.urlOf(agent, now) : '';
    const messages = isHistory ? await wholeHistoryOf(eventStore, agent) : [];
    const text = messageBody({
      messageId,
      format: endpoint.format,
      type: eventType,
      agent,
      messages,
      maxBytes: settings.maxBytes,
      historyUrl: () => historyUrl,
    });
    return { body: new TextEncoder().encode(text), messageIds: messages.map(({ eventId }) => eventId) };
  }
}
