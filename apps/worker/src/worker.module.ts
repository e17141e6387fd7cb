import { Module, type DynamicModule } from '@nestjs/common';
import { DueWork } from './dispatch/due-work.js';
import { EventNoticesController } from './dispatch/event-notices.controller.js';

@Module({ controllers: [EventNoticesController] })
export class WorkerModule {
  static with(dueWork: DueWork): DynamicModule {
    return { module: WorkerModule, providers: [{ provide: DueWork, useValue: dueWork }] };
  }
}
