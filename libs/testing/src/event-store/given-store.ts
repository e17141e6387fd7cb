import type { EventStore, ReferenceReader } from '@turnkeeper/application';

export interface EventStoreUnderTest {
  readonly store: EventStore & ReferenceReader;
  /** Makes time pass for every event stored so far that expires at all. */
  letEventsExpire(): Promise<void>;
  close(): Promise<void>;
}

/** Gives the store of the running suite. */
export type GivenStore = () => EventStoreUnderTest;
