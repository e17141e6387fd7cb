import type { ParkedItem, ParkingLot } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../database.js';

export class PgParkingLot implements ParkingLot {
  constructor(private readonly dataSource: DataSource) {}

  async park(item: ParkedItem): Promise<void> {
    await rowsOf(
      this.dataSource,
      `insert into parked_items (source, item_id, code, error, payload, attempts) values ($1, $2, $3, $4, $5, $6)
       on conflict (source, item_id) do nothing`,
      [item.source, item.itemId, item.code, item.error, item.payload, item.attempts],
    );
  }
}
