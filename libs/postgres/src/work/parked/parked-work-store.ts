import {
  ParkedWorkNotFound,
  ParkedWorkNotReplayable,
  type PageAfter,
  type ParkedCount,
  type ParkedFilter,
  type ParkedName,
  type ParkedPlace,
  type ParkedWork,
  type ReplayWindowOptions,
} from '@turnkeeper/application';
import { WebhookEndpointDisabled } from '@turnkeeper/domain';
import type { DataSource } from 'typeorm';
import { rowsOf } from '../../connections/database.js';
import { PgDeliveryStore } from '../deliveries/delivery-store.js';
import { FORGET_DROPPED, PARKED_WORK } from './parked-work.sql.js';
import { replayWindows } from '../extraction/parked-windows.js';
import { raw, sqlOf, sqlViewsOf } from '../../connections/sql.js';

const COLUMNS = `kind, item_key::json as key, tenant_id, memory_id, code, nullif(left(cause, 2000), '') as cause, attempts, parked_at,
  floor(greatest(extract(epoch from now() - parked_at), 0))::float8 as age_seconds`;
/** Postgres JSON format: keys are compared as text. */
const keyText = (key: readonly string[]): string => `[${key.map((part) => JSON.stringify(part)).join(', ')}]`;

/**
 * Drops the unread range of a session that is parked as a whole. A dropped window accounts for the range, and later
 * messages are read.
 */
const DROP_SESSION = `
  with old as (
    select session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, watermark, newest_sequence,
           coalesce(last_code, 'unknown') as code, attempts + outage_tries as attempts
      from extraction_states where session_key = $1 and strategy_id = $2 and status = 'parked' for update
  ), idle as (
    update extraction_states x
       set status = 'idle', watermark = old.newest_sequence, pending_turns = 0, due_at = null, attempts = 0,
           outage_tries = 0, last_code = null, lease_until = null, admitted_until = null, answer_event_id = null,
           answer_unread = false, replay_through = null, updated_at = now()
      from old where x.session_key = old.session_key and x.strategy_id = old.strategy_id
  ), given_up as (
    insert into parked_windows
      (session_key, strategy_id, to_sequence, from_sequence, tenant_id, memory_id, actor_id, session_id, code, attempts,
       dropped_at)
    select session_key, strategy_id, newest_sequence, watermark + 1, tenant_id, memory_id, actor_id, session_id, code,
           attempts, now()
      from old where newest_sequence > watermark
    on conflict (session_key, strategy_id, to_sequence) do update set dropped_at = now(), requested_at = null
  )
  select 1 from old`;

/** Parked work of all kinds and tenants: an operator lists it, replays it or drops it. */
export class PgParkedWorkStore {
  constructor(private readonly dataSource: DataSource) {}

  /** Across all tenants, oldest first, without dropped items. */
  async list(
    { kind, tenantId, code }: ParkedFilter,
    { limit, after }: PageAfter<ParkedPlace>,
  ): Promise<readonly ParkedWork[]> {
    return sqlViewsOf<ParkedWork>(this.dataSource)`
      select ${raw(COLUMNS)} from (${raw(PARKED_WORK)}) w
       where (${kind ?? null}::text is null or kind = ${kind ?? null}) and (${tenantId ?? null}::uuid is null
         or tenant_id = ${tenantId ?? null}) and (${code ?? null}::text is null or code = ${code ?? null})
         and (${after?.parkedAt ?? null}::timestamptz is null
              or (date_trunc('milliseconds', parked_at), item_key) > (${after?.parkedAt ?? null}::timestamptz,
                ${after?.key ?? null}::text))
       order by date_trunc('milliseconds', parked_at), item_key limit ${limit}`;
  }

  /** Null if it is not parked or was dropped. */
  async find({ kind, key }: ParkedName): Promise<ParkedWork | null> {
    const [work] = await sqlViewsOf<ParkedWork>(this.dataSource)`
      select ${raw(COLUMNS)} from (${raw(PARKED_WORK)}) w where kind = ${kind} and item_key = ${keyText(key)}`;
    return work ?? null;
  }

  /**
   * Excludes the item from listings and counts; a dropped window is never extracted. Resolves to false if it is not
   * parked.
   */
  async drop({ kind, key }: ParkedName): Promise<boolean> {
    if (kind === 'window' && key[2] !== '0') {
      // Keep the row: it accounts for a dropped range of the session.
      const dropped = await sqlOf(this.dataSource)`
        update parked_windows set dropped_at = now(), answer_unread = false
         where session_key = ${key[0]} and strategy_id = ${key[1]} and to_sequence = ${key[2]}
           and dropped_at is null and requested_at is null returning 1`;
      return dropped.length > 0;
    }
    if (kind === 'window') return (await rowsOf(this.dataSource, DROP_SESSION, key.slice(0, 2))).length > 0;
    const rows = await sqlOf(this.dataSource)`
      insert into parked_notes (kind, item_key, parked_at, dropped_at)
      select kind, item_key, parked_at, now() from (${raw(PARKED_WORK)}) w where kind = ${kind}
        and item_key = ${keyText(key)}
      on conflict (kind, item_key, parked_at) do update set dropped_at = now()
      returning 1`;
    // A dropped message is retained for as long as a replayed one.
    if (kind === 'message' && rows.length > 0) {
      await sqlOf(this.dataSource)`
        update parked_items set resolved_at = now() where source = ${key[0]} and item_id = ${key[1]}`;
    }
    return rows.length > 0;
  }

  /**
   * Deletes the markers of items that were dropped more than `days` ago and no longer exist. True if there may be more.
   */
  async forgetDropped(days: number, limit: number): Promise<boolean> {
    return (await rowsOf(this.dataSource, FORGET_DROPPED, [days, limit])).length === limit;
  }

  async counts(): Promise<readonly ParkedCount[]> {
    return sqlOf<ParkedCount>(this.dataSource)`
      select kind, count(*)::int as count,
             greatest(extract(epoch from now() - min(parked_at)), 0)::float8 as "oldestSeconds"
        from (${raw(PARKED_WORK)}) w group by kind`;
  }

  /** Items parked since the last call, by any process. Each is returned once. */
  async takeNews(limit: number): Promise<readonly ParkedWork[]> {
    const news = await sqlViewsOf<ParkedWork>(this.dataSource)`
      with news as (
        select * from (${raw(PARKED_WORK)}) w
         where not exists (select from parked_notes x
                where x.kind = w.kind and x.item_key = w.item_key and x.parked_at = w.parked_at)
         order by parked_at limit ${limit}
      ), noted as (
        insert into parked_notes (kind, item_key, parked_at) select kind, item_key, parked_at from news
        on conflict do nothing returning kind, item_key
      )
      select ${raw(COLUMNS)} from news join noted using (kind, item_key) order by parked_at`;
    // Markers of items that are no longer parked are useless.
    await sqlOf(this.dataSource)`
      delete from parked_notes n where noted_at < now() - interval '1 hour' and dropped_at is null
         and not exists (select from (${raw(PARKED_WORK)}) w
               where w.kind = n.kind and w.item_key = n.item_key and w.parked_at = n.parked_at)`;
    return news;
  }

  /**
   * Makes an item due again. Rejects with `ParkedWorkNotFound`, `ParkedWorkNotReplayable` or, for a delivery of a disabled
   * endpoint, `WebhookEndpointDisabled`.
   */
  async replay(name: ParkedName, options: ReplayWindowOptions = { askAgain: false }): Promise<void> {
    const work = await this.find(name);
    if (work === null) throw new ParkedWorkNotFound();
    if (!(await this.makeDue(work, options))) throw new ParkedWorkNotReplayable();
  }

  /** Resolves to false if the data it needs is no longer stored. */
  private async makeDue({ kind, key, tenantId }: ParkedWork, options: ReplayWindowOptions): Promise<boolean> {
    if (kind === 'window') {
      const only = {
        windows: 'p.session_key = $2 and p.strategy_id = $3 and p.to_sequence = $4',
        states: 'x.session_key = $2 and x.strategy_id = $3 and $4::bigint = 0',
        values: key,
      };
      return (await replayWindows(this.dataSource, tenantId, only, options)) > 0;
    }
    if (kind === 'message') {
      // Earlier releases parked messages of JetStream, too. They only said that the log had grown.
      const requested = await sqlOf(this.dataSource)`
        update parked_items set requested_at = case source when 'dispatch' then now() end,
               resolved_at = case source when 'dispatch' then null else now() end
         where source = ${key[0]} and item_id = ${key[1]} and resolved_at is null returning 1`;
      return requested.length > 0;
    }
    if (kind === 'delivery') {
      const [row] = await sqlOf<{ endpoint: string; disabled: boolean }>(this.dataSource)`
        select endpoint_id as endpoint, e.status = 'disabled' as disabled
          from webhook_deliveries d join webhook_endpoints e using (endpoint_id) where d.delivery_id = ${key[0]}`;
      if (row?.disabled === true) throw new WebhookEndpointDisabled();
      const deliveries = new PgDeliveryStore(this.dataSource);
      const filter = { deliveryId: key[0] };
      return (await deliveries.replay(tenantId ?? '', row?.endpoint ?? '', filter, { includeDelivered: false })) > 0;
    }
    const rows = await sqlOf(this.dataSource)`
      with again as (
        update connector_notices set status = 'waiting', code = null
         where connector_id = ${key[0]} and notice_key = ${key[1]} and status = 'parked' and call_key is not null
           and body is not null
        returning connector_id, call_key
      )
      update connector_calls c set due_at = now(), version = version + 1 from again
       where c.connector_id = again.connector_id and c.call_key = again.call_key returning 1`;
    return rows.length > 0;
  }
}
