import { eventBusLaws } from './event-bus.laws.js';
import { InMemoryEventBus } from './in-memory-event-bus.js';
import { InMemoryRelayCursor } from './in-memory-relay-cursor.js';
import { relayCursorLaws } from './relay-cursor.laws.js';

eventBusLaws('The bus in memory', async () => new InMemoryEventBus());

relayCursorLaws('The cursor in memory', async () => {
  const cursor = new InMemoryRelayCursor();
  return {
    one: cursor,
    two: cursor,
    published: cursor,
    breakLeader: async () => cursor.loseLease(),
    close: async () => undefined,
  };
});
