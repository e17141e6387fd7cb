import { Controller, Inject } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { ALL_MEMORY_EVENTS } from '@turnkeeper/messaging';
import { DueWork } from './due-work.js';

/** Receives notices from JetStream that the log has grown. The log itself determines the work. */
@Controller()
export class EventNoticesController {
  constructor(@Inject(DueWork) private readonly dueWork: DueWork) {}

  @EventPattern<string>(ALL_MEMORY_EVENTS, { durable: 'worker-dispatcher' })
  onEvents(): Promise<void> {
    return this.dueWork.dispatch();
  }
}
