import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern } from '@nestjs/microservices';
import { ALL_MEMORY_EVENTS, type JetStreamContext } from '@turnkeeper/messaging';
import { APP, type App } from '../composition.js';
import { traced } from '../tracing/traced.js';

/** Also the name that the chart scales by. */
const DURABLE = 'worker-dispatcher';

/** Receives notices from JetStream that the log has grown. The log itself determines the work. */
@Controller()
export class EventNoticesController {
  constructor(@Inject(APP) private readonly app: Pick<App, 'dueWork' | 'tracing' | 'stream'>) {}

  @EventPattern<string>(ALL_MEMORY_EVENTS, { durable: DURABLE, headersOnly: true })
  onEvents(@Ctx() { delivery }: JetStreamContext): Promise<void> {
    const { dueWork, tracing, stream } = this.app;
    if (!tracing.on || delivery.traceparent === '') return dueWork.dispatch();
    const attributes = {
      'messaging.system': 'nats',
      'messaging.operation.type': 'process',
      'messaging.destination.name': stream.name,
      'messaging.consumer.group.name': DURABLE,
    };
    const span = tracing.start(`process ${stream.name}`, {
      kind: 'consumer',
      parent: delivery.traceparent,
      attributes,
    });
    return traced(span, () => dueWork.dispatch());
  }
}
