import type { DeliverWebhook, JobHandlers } from '@turnkeeper/application';
import type { Logger, Metrics } from '@turnkeeper/platform';
import type { OpenAttempts } from './open-attempts.js';

/** Makes one attempt of a delivery. */
export const deliverHandler = (
  deliverWebhook: Pick<DeliverWebhook, 'execute'>,
  openAttempts: OpenAttempts,
  logger: Logger,
  metrics: Metrics,
  /** Called when an attempt has ended: its endpoint has a free slot, and what must follow it may be due. */
  onDone: (endpointId: string, isInOrder: boolean) => void,
): JobHandlers['deliver'] => {
  const duration = metrics.histogram('webhook_attempt_duration_seconds');
  const deliver = async (deliveryId: string, signal: AbortSignal): Promise<void> => {
    const result = await deliverWebhook.execute(deliveryId, signal);
    if (result.kind === 'not_due') return;
    if (result.kind === 'attempted') duration.observe({ reason: result.reason }, result.durationMs / 1_000);
    const level = result.kind === 'parked' && result.reason === 'secret_unreadable' ? 'error' : 'info';
    logger[level]({ deliveryId, ...result }, `delivery.${result.kind}`);
    onDone(result.endpointId, result.isInOrder);
  };
  return ({ deliveryId }, signal) => openAttempts.run((stop) => deliver(deliveryId, stop), signal);
};
