import type { FollowerLag, OldestDue } from '@turnkeeper/application';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../connections/database.js';

const LAGS = `
  with head as (
    select coalesce((select position from events where partition = 0 order by position desc limit 1), 0) as position
  ), followers as (
    select 'dispatcher' as follower, coalesce((select min(position) from dispatch_cursor), 0) as position
    union all
    select 'relay', coalesce((select position from relay_cursor where name = 'jetstream'), 0)
    union all
    select 'turn_index', coalesce((select position from question_cursor where name = 'turns'), 0)
    union all
    select 'session_index', coalesce((select position from question_cursor where name = 'activity'), 0)
  )
  select f.follower, greatest(head.position - f.position, 0)::float8 as events,
         coalesce(greatest(extract(epoch from clock_timestamp() - (
           select e.recorded_at from events e
            where e.partition = 0 and e.position > f.position order by e.position limit 1)), 0), 0)::float8 as seconds
    from followers f cross join head`;

const since = (column: string): string =>
  `coalesce(greatest(extract(epoch from now() - min(${column})), 0), 0)::float8 as seconds`;
const DUE = `
  select 'extraction' as kind, ${since('due_at')} from extraction_states
   where due_at is not null and due_at <= now() and status = 'waiting' and (lease_until is null or lease_until < now())
  union all
  select 'delivery', ${since('d.due_at')} from webhook_deliveries d join webhook_endpoints e using (endpoint_id)
   where d.due_at is not null and d.due_at <= now() and d.status = 'pending' and e.status = 'active'
     and (d.lease_until is null or d.lease_until < now())
  union all
  select 'call', ${since('due_at')} from connector_calls
   where due_at is not null and due_at <= now() and (lease_until is null or lease_until < now())`;

/** Deletions that were requested and whose data is not gone yet. */
interface UnfinishedErasures {
  readonly kind: 'memory' | 'session' | 'records';
  readonly count: number;
  /** Time since the oldest was requested, in seconds; 0 if there is none. */
  readonly seconds: number;
}

/** Sessions of a deleted memory are counted as the memory only. Each part reads an index of what is unfinished. */
const ERASURES = `
  select 'memory' as kind, count(*)::float8 as count, ${since('closed_at')} from memory_gates
   where closed_at is not null and purged_at is null
  union all
  select 'session', count(*)::float8, ${since('s.at')} from closed_sessions s join memory_gates g using (memory_id)
   where s.purged_at is null and g.closed_at is null
  union all
  select 'records', count(*)::float8, ${since('requested_at')} from record_deletions where finished_at is null`;

interface InactiveEndpoints {
  readonly status: 'paused' | 'disabled';
  readonly count: number;
}
const ENDPOINTS = `
  select status, count(e.endpoint_id)::float8 as count
    from (values ('paused'), ('disabled')) as s (status) left join webhook_endpoints e using (status) group by status`;

/** Operational metrics of the whole installation, by the database's clock. */
export class PgWorkGauges {
  constructor(private readonly dataSource: DataSource) {}

  async read() {
    const [lags, due] = await Promise.all([
      rowsOf<FollowerLag>(this.dataSource, LAGS),
      rowsOf<OldestDue>(this.dataSource, DUE),
    ]);
    return { lags, due };
  }

  /** Figures that change slowly and that only metrics show. */
  async readStanding() {
    const [erasures, endpoints] = await Promise.all([
      rowsOf<UnfinishedErasures>(this.dataSource, ERASURES),
      rowsOf<InactiveEndpoints>(this.dataSource, ENDPOINTS),
    ]);
    return { erasures, endpoints };
  }
}
