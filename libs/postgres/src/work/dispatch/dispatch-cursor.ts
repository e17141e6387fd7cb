import type { DispatchCursor, Transaction } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { managerOf } from '../../connections/unit-of-work.js';
import { sqlOf } from '../../connections/sql.js';

const NAME = 'dispatch';

export class PgDispatchCursor implements DispatchCursor {
  constructor(private readonly dataSource: DataSource) {}

  async lock(tx: Transaction): Promise<number> {
    const manager = managerOf(tx);
    // A worker that freezes or loses its connection here releases the cursor after this time. The commit does not wait for the
    // disk: a crash that loses the rows loses the move of the cursor as well, and any later commit that waits keeps both.
    await sqlOf(manager)`
      select set_config('idle_in_transaction_session_timeout', '2000', true), set_config('lock_timeout', '3000', true),
             set_config('synchronous_commit', 'off', true)`;
    const take = () =>
      rowsOf<{ position: string }>(manager, `select position from dispatch_cursor where name = $1 for update`, [NAME]);
    const [row] = await take();
    if (row !== undefined) return Number(row.position);
    // First call only. A concurrent call waits here for the first one's row.
    await rowsOf(manager, `insert into dispatch_cursor (name, position) values ($1, 0) on conflict do nothing`, [NAME]);
    return Number((await take())[0]?.position ?? 0);
  }

  async advance(tx: Transaction, position: number): Promise<void> {
    await rowsOf(managerOf(tx), `update dispatch_cursor set position = $2 where name = $1`, [NAME, position]);
  }

  async position(): Promise<number> {
    const rows = await sqlOf<{ position: string }>(this.dataSource)`
      select position from dispatch_cursor where name = ${NAME}`;
    return Number(rows[0]?.position ?? 0);
  }
}
