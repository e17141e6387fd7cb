import { eventStoreLaws } from './event-store.laws.js';
import { InMemoryEventStore } from './in-memory-event-store.js';

const DAY_MS = 86_400_000;

eventStoreLaws('The log in memory', async () => {
  let skipped = 0;
  return {
    store: new InMemoryEventStore(() => new Date(Date.now() + skipped)),
    letEventsExpire: async () => {
      skipped += 366 * DAY_MS;
    },
    close: async () => undefined,
  };
});
