import { AppendEvents, ListEvents, SearchTurns } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { EventsController } from './events.controller.js';
import { TurnSearchController } from './turn-search.controller.js';

export const eventsFeature: Feature = {
  controllers: [EventsController, TurnSearchController],
  providers: (stores) => [
    { provide: AppendEvents, useValue: new AppendEvents(stores) },
    { provide: SearchTurns, useValue: new SearchTurns(stores) },
    { provide: ListEvents, useValue: new ListEvents(stores) },
  ],
};
