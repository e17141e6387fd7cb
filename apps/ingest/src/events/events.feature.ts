import { AppendEvents, BuildContext, ListEvents, SearchTurns } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { EventsController } from './events.controller.js';
import { ContextController } from './context.controller.js';
import { TurnSearchController } from './turn-search.controller.js';

export const eventsFeature: Feature = {
  controllers: [EventsController, TurnSearchController, ContextController],
  providers: (stores) => [
    { provide: AppendEvents, useValue: new AppendEvents(stores) },
    { provide: SearchTurns, useValue: new SearchTurns(stores) },
    { provide: BuildContext, useValue: new BuildContext(stores) },
    { provide: ListEvents, useValue: new ListEvents(stores) },
  ],
};
