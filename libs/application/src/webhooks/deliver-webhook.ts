import {
  afterAttempt,
  everything,
  foldMessages,
  MESSAGE_EVENT_TYPES,
  messagesOfAgent,
  type Agent,
  type AttemptReason,
  type LogEvent,
} from '@turnkeeper/domain';
import type { AgentStore } from '../ports/agent-store.port.js';
import type { Clock } from '../ports/clock.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { DeliveryClaim, WebhookStore, WebhookTransport } from '../ports/webhook-store.port.js';
import { messageBody } from './message-body.js';

export type DeliveryResult =
  | { readonly kind: 'not_due' }
  | {
      readonly kind: 'attempted';
      readonly status: 'pending' | 'delivered' | 'parked';
      readonly reason: AttemptReason;
      readonly attempt: number;
      readonly durationMs: number;
    };

export interface DeliverySettings {
  /** Longest body in bytes. */
  readonly maxBytes: number;
  /** Longer than one attempt can take. */
  readonly leaseSeconds: number;
  /** URL of an agent's whole history. */
  readonly historyUrl: (agentId: string) => string;
}

/** Most events of one page while an agent's history is read. */
const PAGE = 1_000;

/** Makes one attempt of a delivery that is due, and writes what follows from it. */
export class DeliverWebhook {
  constructor(
    private readonly deps: {
      readonly webhooks: WebhookStore;
      readonly agents: AgentStore;
      readonly eventStore: EventStore;
      readonly transport: WebhookTransport;
      readonly clock: Clock;
      readonly random: () => number;
      readonly settings: DeliverySettings;
    },
  ) {}

  async execute(deliveryId: string, signal: AbortSignal): Promise<DeliveryResult> {
    const { webhooks, transport, clock, random, settings } = this.deps;
    const claim = await webhooks.claim(deliveryId, settings.leaseSeconds);
    if (claim === null) return { kind: 'not_due' };
    const { endpoint, messageId } = claim;
    const body = claim.body ?? (await webhooks.freezeBody(deliveryId, await this.composeBody(claim)));
    const outcome = await transport.attempt(
      {
        url: endpoint.url,
        format: endpoint.format,
        secrets: endpoint.secrets,
        messageId,
        body,
        at: clock.now(),
        attempt: claim.delivery.attempts + 1,
      },
      signal,
    );
    const verdict = afterAttempt(claim.delivery, outcome, { now: clock.now(), random: random() });
    await webhooks.finishAttempt(claim, outcome, verdict);
    const { status, attempts } = verdict.delivery;
    return { kind: 'attempted', status, reason: verdict.reason, attempt: attempts, durationMs: outcome.durationMs };
  }

  private async composeBody(claim: DeliveryClaim): Promise<Uint8Array> {
    const { agents, settings } = this.deps;
    const agent = await agents.find(claim.tenantId, claim.agentId);
    if (agent === null) throw new Error(`delivery ${claim.deliveryId} names an agent that is not there`);
    const text = messageBody({
      messageId: claim.messageId,
      format: claim.endpoint.format,
      type: claim.eventType,
      agent,
      messages: claim.eventType === 'agent.history' ? await this.historyOf(agent) : [],
      maxBytes: settings.maxBytes,
      historyUrl: settings.historyUrl(agent.agentId),
    });
    return new TextEncoder().encode(text);
  }

  private async historyOf(agent: Agent): Promise<LogEvent<'message.appended'>[]> {
    const events: LogEvent[] = [];
    const end = (agent.stoppedSequence ?? Number.MAX_SAFE_INTEGER - 1) + 1;
    for (let after = agent.startedSequence; ;) {
      const page = await this.deps.eventStore.readSession(agent, {
        after,
        before: end,
        types: MESSAGE_EVENT_TYPES,
        order: 'oldest-first',
        limit: PAGE,
      });
      events.push(...page);
      // Folded: a message that was cut short later is told as it was heard.
      if (page.length < PAGE) return messagesOfAgent(agent, foldMessages(events, everything));
      after = page.at(-1)?.sequence ?? end;
    }
  }
}
