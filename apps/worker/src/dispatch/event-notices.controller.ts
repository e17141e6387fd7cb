import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern } from '@nestjs/microservices';
import { ALL_MEMORY_EVENTS, type JetStreamContext } from '@turnkeeper/messaging';
import { RESOURCES } from '@turnkeeper/runtime/nest';
import type { WorkerResources } from '../resources.js';
import { traced } from '../tracing/traced.js';
import { DueWork } from './due-work.js';

/** Also the name that the chart scales by. */
const DURABLE = 'worker-dispatcher';

/** Receives notices from JetStream that the log has grown. The log itself determines the work. */
@Controller()
export class EventNoticesController {
  constructor(
    @Inject(DueWork) private readonly dueWork: DueWork,
    @Inject(RESOURCES) private readonly resources: WorkerResources,
  ) {}

  @EventPattern<string>(ALL_MEMORY_EVENTS, { durable: DURABLE, headersOnly: true })
  onEvents(@Ctx() { delivery }: JetStreamContext): Promise<void> {
    const { tracing, stream } = this.resources;
    if (!tracing.on || delivery.traceparent === '') return this.dueWork.dispatch();
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
    return traced(span, () => this.dueWork.dispatch());
  }
}
