import { afterAll, beforeAll, describe } from 'vitest';
import { agentLaws } from './agent.laws.js';
import { appendLaws } from './append.laws.js';
import { expiryLaws } from './expiry.laws.js';
import type { EventStoreUnderTest, GivenStore } from './given-store.js';
import { readLaws } from './read.laws.js';
import { repeatLaws } from './repeat.laws.js';
import { sequenceLaws } from './sequence.laws.js';

/** Contract of every event store. The store may already contain events; each law creates its own memories. */
export const eventStoreLaws = (name: string, make: () => Promise<EventStoreUnderTest>): void => {
  describe(`${name} as an event store`, () => {
    let made: EventStoreUnderTest;
    beforeAll(async () => {
      made = await make();
    });
    afterAll(() => made.close());
    const given: GivenStore = () => made;
    appendLaws(given);
    sequenceLaws(given);
    repeatLaws(given);
    agentLaws(given);
    readLaws(given);
    expiryLaws(given);
  });
};
