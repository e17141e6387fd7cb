import type { EventStore, ReferenceReader } from '@turnkeeper/application';

export interface EventStoreUnderTest {
  readonly store: EventStore & ReferenceReader;
  /** Expires every stored event that can expire. */
  letEventsExpire(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the store of the running suite. */
export type GivenStore = () => EventStoreUnderTest;
