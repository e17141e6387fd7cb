import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';

/**
 * Deletes the states of a page of $3 after ($1, $2) whose sessions have no message left: an expired message cannot be
 * read again, with or without a watermark. Returns the page's last key.
 */
const FORGET_SPENT = `
  with page as materialized (
    select session_key, strategy_id from extraction_states
     where (session_key, strategy_id) > ($1::bigint, $2::uuid) order by session_key, strategy_id limit $3
  ), spent as (
    delete from extraction_states x using page p
     where x.session_key = p.session_key and x.strategy_id = p.strategy_id
       and x.status = 'idle' and x.watermark >= x.newest_sequence and x.lease_until is null
       and not exists (select from events e where e.session_key = x.session_key and e.sequence is not null)
       and not exists (select from deferred_progress d where d.session_key = x.session_key)
       and not exists (
         select from parked_windows w
          where w.session_key = x.session_key and w.strategy_id = x.strategy_id and w.dropped_at is null)
    returning x.session_key, x.strategy_id
  ), dropped as (
    delete from parked_windows w using spent s where w.session_key = s.session_key and w.strategy_id = s.strategy_id
  )
  select session_key::float8 as "sessionKey", strategy_id as "strategyId",
         (select count(*)::int from page) as looked, (select count(*)::int from spent) as deleted
    from page order by session_key desc, strategy_id desc limit 1`;

interface StatePlace {
  readonly sessionKey: number;
  readonly strategyId: string;
}

const FIRST_PLACE: StatePlace = { sessionKey: 0, strategyId: '00000000-0000-0000-0000-000000000000' };

/** Extraction states of sessions whose messages have all expired. Goes through all states, a page per call. */
export class PgSpentStates {
  private place = FIRST_PLACE;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Looks at the next `limit` states and deletes the spent ones. Starts again after the last state.
   *
   * @returns how many were deleted
   */
  async forget(limit: number): Promise<number> {
    const { sessionKey, strategyId } = this.place;
    const [row] = await rowsOf<StatePlace & { readonly looked: number; readonly deleted: number }>(
      this.dataSource,
      FORGET_SPENT,
      [sessionKey, strategyId, limit],
    );
    const hasMore = row?.looked === limit;
    this.place = hasMore ? { sessionKey: row.sessionKey, strategyId: row.strategyId } : FIRST_PLACE;
    return row?.deleted ?? 0;
  }
}
