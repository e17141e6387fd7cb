import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';

/** Changes of searched turns and records: what tells processes that something they hold is out of date. */
export class PgSearchChanges {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Deletes changes that no process can need any more.
   *
   * @returns whether there may be more than `most`
   */
  async forgetOld(most: number): Promise<boolean> {
    const [row] = await rowsOf<{ forgotten: number }>(
      this.dataSource,
      'select forget_search_changes($1) as forgotten',
      [most],
    );
    return row?.forgotten === most;
  }
}
