import { AppendEvents, ListEvents } from '@turnkeeper/application';
import type { Feature } from '../feature.js';
import { EventsController } from './events.controller.js';

export const eventsFeature: Feature = {
  controllers: [EventsController],
  providers: (stores) => [
    { provide: AppendEvents, useValue: new AppendEvents(stores) },
    { provide: ListEvents, useValue: new ListEvents(stores) },
  ],
};
