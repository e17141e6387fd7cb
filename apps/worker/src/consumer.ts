import type { MicroserviceOptions } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { JetStreamStrategy, RethrowFilter } from '@turnkeeper/messaging';
import { consumerObserver } from './dispatch/consumer-observer.js';
import type { WorkerResources } from './resources.js';

/**
 * Lets controllers receive messages from JetStream.
 *
 * @param closeDeadlineMs time that a message in progress has left when the application closes
 */
export const connectConsumer = (
  app: NestFastifyApplication,
  { broker, stream, logger, metrics }: WorkerResources,
  closeDeadlineMs: () => number,
): void => {
  const strategy = new JetStreamStrategy({
    broker,
    stream,
    observer: consumerObserver(logger, metrics),
    closeDeadlineMs,
  });
  app.connectMicroservice<MicroserviceOptions>({ strategy }, { inheritAppConfig: true });
  app.useGlobalFilters(new RethrowFilter());
};
