import type { ConsumerObserver } from '@turnkeeper/messaging';
import type { Logger, Metrics } from '@turnkeeper/platform';

/** Counts message outcomes and logs failures. */
export const consumerObserver = (logger: Logger, metrics: Metrics): ConsumerObserver => {
  const messages = metrics.counter('consumer_messages_total');
  const interruptions = metrics.counter('consumer_interruptions_total');
  return {
    handled: (durable) => messages.inc({ durable, outcome: 'handled' }),
    retried: (durable, attempt, pauseMs, error) => {
      messages.inc({ durable, outcome: 'retried' });
      logger.warn({ durable, attempt, pauseMs, err: error }, 'message.retried');
    },
    interrupted: (durable, error) => {
      interruptions.inc({ durable });
      logger.warn({ durable, err: error }, 'consumer.interrupted');
    },
  };
};
