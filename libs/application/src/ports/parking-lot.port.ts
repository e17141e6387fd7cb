/** A message that cannot be handled and would hold up or poison the others. Set aside, visible, replayable. */
export interface ParkedItem {
  /** Where it came from, e.g. `jetstream/TURNKEEPER_EVENTS/worker-dispatcher`. */
  readonly source: string;
  /** Its identity within the source: parking the same item twice stores it once. */
  readonly itemId: string;
  /** Why, as a stable code: that of the error, or `delivery.exhausted` when trying again did not help. */
  readonly code: string;
  /** The message for people. Never holds content of conversations. */
  readonly error: string;
  /** The message as it came (UTF-8). */
  readonly payload: string;
  /** How often it was tried. */
  readonly attempts: number;
}

export interface ParkingLot {
  /** When it resolves, the item is durable and the source may forget it. */
  park(item: ParkedItem): Promise<void>;
}
