import { agoraTestBody, reasonOf, standardTestBody, validSecrets, type AttemptReason } from '@turnkeeper/domain';
import type { Ports } from '../ports.js';
import { requireEndpoint } from './require-endpoint.js';

/** Result of a test message. */
export interface TestResult {
  readonly messageId: string;
  readonly delivered: boolean;
  readonly reason: AttemptReason;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Error message for humans; null if there was a response. */
  readonly detail: string | null;
}

/**
 * Sends one test message immediately, with the same checks and signatures as any other message. Works for paused and
 * disabled endpoints too.
 */
export class TestWebhookEndpoint {
  constructor(private readonly deps: Pick<Ports, 'endpoints' | 'transport' | 'ids' | 'clock'>) {}

  /** Rejects with `WebhookEndpointNotFound`. */
  async execute(tenantId: string, endpointId: string, signal: AbortSignal): Promise<TestResult> {
    const { endpoints, transport, ids, clock } = this.deps;
    const endpoint = await requireEndpoint(endpoints, tenantId, endpointId);
    const messageId = `msg_${ids.next().replaceAll('-', '')}`;
    const at = clock.now();
    const text =
      endpoint.format === 'agora'
        ? agoraTestBody({ noticeId: messageId, notifyMs: at.getTime() })
        : standardTestBody(endpointId, at.toISOString());
    const outcome = await transport.attempt(
      {
        url: endpoint.url,
        format: endpoint.format,
        secrets: validSecrets(endpoint.secrets, at).map(({ secret }) => secret),
        messageId,
        body: new TextEncoder().encode(text),
        at,
        attempt: 1,
      },
      signal,
    );
    const reason = reasonOf(outcome);
    return {
      messageId,
      delivered: reason === 'delivered',
      reason,
      status: outcome.kind === 'response' ? outcome.status : null,
      durationMs: outcome.durationMs,
      detail: outcome.kind === 'failed' ? outcome.message : null,
    };
  }
}
