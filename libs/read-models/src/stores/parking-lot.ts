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

  /** Deletes messages that were replayed more than `days` ago. True if there may be more. */
  async forgetResolved(days: number, limit: number): Promise<boolean> {
    const rows = await rowsOf(
      this.dataSource,
      `delete from parked_items where ctid = any(array(
         select i.ctid from parked_items i where i.resolved_at < now() - make_interval(days => $1)
          order by i.resolved_at limit $2))
       returning 1`,
      [days, limit],
    );
    return rows.length === limit;
  }
}
