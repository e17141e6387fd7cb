-- Up Migration

-- The traits of every turn of a scope as one text: `session place day traits sequence …`. Of speakers, only the one whom the
-- question names matters: turns of theirs have 128 added to their traits. `all_turn_traits` stays for processes of an
-- earlier release.
create function list_turn_traits(for_tenant uuid, of_memory uuid, of_actor text, of_session bigint, of_speaker text)
returns table (turns text)
language plpgsql stable set search_path from current
set jit = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with scoped as (
    select o.session_key from turn_sessions o
    where of_session is not null and o.session_key = of_session and o.tenant_id = for_tenant and o.memory_id = of_memory
    union all
    select o.session_key from turn_sessions o
    where of_actor is not null and of_session is null and o.memory_id = of_memory and o.tenant_id = for_tenant
      and o.actor_key = hashtextextended(of_actor, turn_memory(for_tenant, of_memory))
    union all
    select o.session_key from turn_sessions o
    where of_actor is null and o.memory_id = of_memory and o.tenant_id = for_tenant
  )
  select string_agg(t.session_key || ' ' || t.place || ' ' || t.day || ' ' ||
                    (t.traits + case when t.speaker = of_speaker then 128 else 0 end) || ' ' || t.sequence, ' ')
  from scoped s
  cross join lateral (select i.* from turns i where i.session_key = s.session_key offset 0) t;
end $$;
