import { Module } from '@nestjs/common';
import { AppendEvents, BuildContext, ListEvents, SearchTurns } from '@turnkeeper/application';
import { LimitsModule } from '../limits/limits.module.js';
import { useCases } from '@turnkeeper/runtime/nest';
import { ContextController } from './context.controller.js';
import { EventsController } from './events.controller.js';
import { TurnSearchController } from './turn-search.controller.js';

@Module({
  imports: [LimitsModule],
  controllers: [EventsController, TurnSearchController, ContextController],
  providers: useCases(AppendEvents, SearchTurns, BuildContext, ListEvents),
})
export class EventsModule {}
