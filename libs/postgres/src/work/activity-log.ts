import type { ActivitySample, StoredActivity } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { viewsOf, rowsOf } from '../connections/database.js';

/** An attempt is stored with the start time of its transaction, so it becomes visible only after that time. */
const SETTLED = `interval '5 seconds'`;

/** The primary key lets one process win each slot of ten seconds. */
const ADD = `
  insert into activity_samples (slot, taken_at, position, parked, lags, due, attempts_delivered, attempts_failed)
  select now.slot, now(), coalesce(head.position, 0), $1, $2::jsonb, $3::jsonb, tried.delivered, tried.failed
    from (select floor(extract(epoch from now()) / 10)::bigint as slot) now
    left join lateral (select position from events where partition = 0 order by position desc limit 1) head on true
    cross join lateral (
      select count(*) filter (where reason = 'delivered')::int as delivered,
             count(*) filter (where reason <> 'delivered')::int as failed
        from webhook_attempts
       where at > (select coalesce(max(taken_at), now() - interval '10 seconds') from activity_samples) - ${SETTLED}
         and at <= now() - ${SETTLED}
    ) tried
   where not exists (select from activity_samples s where s.slot = now.slot)
  on conflict do nothing`;

const FORGET = `delete from activity_samples where slot < floor(extract(epoch from now() - interval '2 hours') / 10)`;

const LAST_HOUR = `
  select taken_at as at, per_second as "appendedPerSecond", parked, lags, due,
         attempts_delivered as delivered, attempts_failed as failed
    from (
      select *, (greatest(position - lag(position) over w, 0)
                 / nullif(extract(epoch from taken_at - lag(taken_at) over w), 0))::float8 as per_second
        from activity_samples
       where slot >= floor(extract(epoch from now() - interval '1 hour') / 10) - 1
      window w as (order by slot)
    ) s
   where taken_at > now() - interval '1 hour' and ($1::timestamptz is null or taken_at > $1)
   order by slot`;

type Row = Omit<StoredActivity, 'webhookAttempts'> & StoredActivity['webhookAttempts'];

/** Samples of the last hour, shared by all processes. */
export class PgActivityLog {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores the sample, unless another process has already stored one for these ten seconds. */
  async add({ lags, due, parked }: ActivitySample): Promise<void> {
    await rowsOf(this.dataSource, ADD, [parked, JSON.stringify(lags), JSON.stringify(due)]);
    await rowsOf(this.dataSource, FORGET);
  }

  /**
   * Samples of the last hour, oldest first.
   *
   * @param after ISO 8601; only samples taken later than this
   */
  async lastHour(after?: string): Promise<readonly StoredActivity[]> {
    const rows = await viewsOf<Row>(this.dataSource, LAST_HOUR, [after ?? null]);
    return rows.map(({ delivered, failed, ...row }) => ({ ...row, webhookAttempts: { delivered, failed } }));
  }
}
