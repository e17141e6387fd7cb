import type { ParkedItem, ParkingLot } from '@turnkeeper/application';

/** Keeps parked items in an array. `failNext` makes the next calls fail, as if the database were down. */
export class InMemoryParkingLot implements ParkingLot {
  readonly items: ParkedItem[] = [];
  private failures = 0;

  failNext(times: number): void {
    this.failures = times;
  }

  async park(item: ParkedItem): Promise<void> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('The parking lot is closed.');
    }
    if (this.items.some(({ source, itemId }) => source === item.source && itemId === item.itemId)) return;
    this.items.push(item);
  }
}
