import type { DispatchReplays, ParkedItem, ParkingLot, Transaction } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { managerOf } from '../../connections/unit-of-work.js';
import { sqlOf } from '../../connections/sql.js';

export class PgParkingLot implements ParkingLot, DispatchReplays {
  constructor(private readonly dataSource: DataSource) {}

  async park(item: ParkedItem): Promise<void> {
    await sqlOf(this.dataSource)`
      insert into parked_items (source, item_id, code, error, payload, attempts) values (${item.source},
        ${item.itemId}, ${item.code}, ${item.error}, ${item.payload}, ${item.attempts})
      on conflict (source, item_id) do nothing`;
  }

  async requested(limit: number): Promise<readonly number[]> {
    const rows = await sqlOf<{ position: number }>(this.dataSource)`
      select item_id::float8 as position from parked_items
       where requested_at is not null and resolved_at is null and source = 'dispatch' order by requested_at
         limit ${limit}`;
    return rows.map(({ position }) => position);
  }

  async resolve(tx: Transaction, position: number): Promise<boolean> {
    const rows = await sqlOf(managerOf(tx))`
      update parked_items set resolved_at = now()
       where source = 'dispatch' and item_id = ${String(position)} and requested_at is not null
         and resolved_at is null returning 1`;
    return rows.length > 0;
  }

  async parkAgain(position: number, error: string): Promise<void> {
    await sqlOf(this.dataSource)`
      update parked_items set requested_at = null, parked_at = now(), attempts = attempts + 1, error = ${error}
       where source = 'dispatch' and item_id = ${String(position)} and requested_at is not null and resolved_at is null`;
  }

  /** Deletes messages that were replayed more than `days` ago. True if there may be more. */
  async forgetResolved(days: number, limit: number): Promise<boolean> {
    const rows = await sqlOf(this.dataSource)`
      delete from parked_items where ctid = any(array(
        select i.ctid from parked_items i where i.resolved_at < now() - make_interval(days => ${days})
         order by i.resolved_at limit ${limit}))
      returning 1`;
    return rows.length === limit;
  }
}
