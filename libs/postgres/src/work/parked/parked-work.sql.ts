/** All parked items, one row each, including dropped ones. */
const PARKED_OR_DROPPED = `
    select 'message' as kind, json_build_array(source, item_id)::text as item_key, null::uuid as tenant_id,
           null::uuid as memory_id, code, source || ': ' || error as cause, attempts, parked_at
      from parked_items where resolved_at is null and requested_at is null
    union all
    select 'window', json_build_array(session_key::text, strategy_id, to_sequence::text)::text, tenant_id, memory_id,
           code, cause, attempts, parked_at
      from parked_windows where dropped_at is null and requested_at is null
    union all
    -- A session that is parked as a whole: its strategy is gone or switched off, or the window cannot even be measured.
    select 'window', json_build_array(session_key::text, strategy_id, '0')::text, tenant_id, memory_id,
           coalesce(last_code, 'unknown'), null, attempts + outage_tries, updated_at
      from extraction_states where status = 'parked'
    union all
    select 'delivery', json_build_array(d.delivery_id)::text, d.tenant_id, a.memory_id,
           coalesce(d.park_reason, 'unknown'),
           -- Without the response, which may repeat what was sent: the cause is also logged.
           concat_ws(': ', last.reason, coalesce('status ' || last.status, last.detail)), d.attempts,
           coalesce(last.at, d.created_at)
      from webhook_deliveries d
      left join agents a on a.agent_id = d.agent_id
      left join lateral (
        select t.at, t.reason, t.status, t.detail from webhook_attempts t
         where t.delivery_id = d.delivery_id order by t.attempt desc limit 1
      ) last on true
     where d.status = 'parked'
    union all
    select 'notice', json_build_array(n.connector_id, n.notice_key)::text, n.tenant_id, c.memory_id,
           coalesce(n.code, 'unknown'), 'event ' || n.event_type, 1, n.received_at
      from connector_notices n join connectors c on c.connector_id = n.connector_id
     where n.status = 'parked'`;

/**
 * All parked items, one row each, excluding dropped ones. `item_key` is the JSON of the row's key. Together with `kind`
 * it identifies the item permanently.
 */
export const PARKED_WORK = `
  select p.* from (${PARKED_OR_DROPPED}) p
  where not exists (
    select from parked_notes x
     where x.kind = p.kind and x.item_key = p.item_key and x.parked_at = p.parked_at and x.dropped_at is not null
  )`;

/** Deletes the markers of up to $2 items that were dropped more than $1 days ago and no longer exist. */
export const FORGET_DROPPED = `
  delete from parked_notes where ctid = any(array(
    select n.ctid from parked_notes n
     where n.dropped_at < now() - make_interval(days => $1)
       and not exists (select from (${PARKED_OR_DROPPED}) p
             where p.kind = n.kind and p.item_key = n.item_key and p.parked_at = n.parked_at)
     order by n.dropped_at limit $2))
  returning 1`;
