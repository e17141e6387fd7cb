import type { DispatchReplays, ParkedItem, ParkingLot, Transaction } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';

export class PgParkingLot implements ParkingLot, DispatchReplays {
  constructor(private readonly dataSource: DataSource) {}

  async park(item: ParkedItem): Promise<void> {
    await rowsOf(
      this.dataSource,
      `insert into parked_items (source, item_id, code, error, payload, attempts) values ($1, $2, $3, $4, $5, $6)
       on conflict (source, item_id) do nothing`,
      [item.source, item.itemId, item.code, item.error, item.payload, item.attempts],
    );
  }

  async requested(limit: number): Promise<readonly number[]> {
    const rows = await rowsOf<{ position: number }>(
      this.dataSource,
      `select item_id::float8 as position from parked_items
        where requested_at is not null and resolved_at is null and source = 'dispatch' order by requested_at limit $1`,
      [limit],
    );
    return rows.map(({ position }) => position);
  }

  async resolve(tx: Transaction, position: number): Promise<boolean> {
    const rows = await rowsOf(
      managerOf(tx),
      `update parked_items set resolved_at = now()
        where source = 'dispatch' and item_id = $1 and requested_at is not null and resolved_at is null returning 1`,
      [String(position)],
    );
    return rows.length > 0;
  }

  async parkAgain(position: number, error: string): Promise<void> {
    await rowsOf(
      this.dataSource,
      `update parked_items set requested_at = null, parked_at = now(), attempts = attempts + 1, error = $2
        where source = 'dispatch' and item_id = $1 and requested_at is not null and resolved_at is null`,
      [String(position), error],
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
