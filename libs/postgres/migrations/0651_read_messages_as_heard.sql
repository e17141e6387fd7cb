-- Up Migration

-- Readers show messages as they were heard, whenever the interruption came. Reads the log once, and appends wait meanwhile.
set local lock_timeout = '5s';
create index events_interruptions on events (session_key, (well_formed(data) ->> 'messageEventId'))
  where type = 'message.interrupted';
reset lock_timeout;

-- The interruptions of messages, each list in the order of its session; only messages that have any.
-- for_tenant null: of all tenants, for the indexers. `through`: only those up to a position; null: all.
create function interruptions_of(for_tenant uuid, session_keys bigint[], message_ids uuid[], through bigint)
returns table (session_key bigint, event_id uuid, interruptions json)
language plpgsql stable security definer rows 1 set search_path from current
set jit = off set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  if tenant_allowed(for_tenant) is not true then
    return;
  end if;
  return query
  select a.session_key, a.event_id, json_agg(i.data order by i.sequence)
  from unnest(session_keys, message_ids) as a (session_key, event_id)
  cross join lateral (
    select e.* from events e
    where e.type = 'message.interrupted' and e.session_key = a.session_key
      and well_formed(e.data) ->> 'messageEventId' = a.event_id::text
    offset 0
  ) i
  where (for_tenant is null or i.tenant_id = for_tenant) and (through is null or i.position <= through)
  group by a.session_key, a.event_id;
end $$;
