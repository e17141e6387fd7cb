import { Module, type DynamicModule } from '@nestjs/common';
import { APP, type App } from './composition.js';
import { EventNoticesController } from './dispatch/event-notices.controller.js';

@Module({ controllers: [EventNoticesController] })
export class WorkerModule {
  static with(app: App): DynamicModule {
    return { module: WorkerModule, providers: [{ provide: APP, useValue: app }] };
  }
}
