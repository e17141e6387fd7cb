-- Up Migration

-- All places of a question's words, for a scope that one search can read whole: grouping them by session in SQL took three
-- times as long as reading them. `find_turn_words` chooses the best ones in larger scopes; its other branch stays for
-- processes of an earlier release.
create function list_turn_words(for_tenant uuid, of_memory uuid, of_actor text, of_session bigint, stems text[])
returns table (stem integer, places text)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  memory constant bigint := turn_memory(for_tenant, of_memory);
  actor constant bigint := hashtextextended(of_actor, memory);
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  -- Number 0: the sessions and their words.
  select 0, (
    select string_agg(concat_ws(' ', o.session_key, o.words), ' ') from (
      select s.session_key, s.words from turn_sessions s
      where of_session is not null and s.session_key = of_session and s.memory_id = of_memory and s.tenant_id = for_tenant
      union all
      select s.session_key, s.words from turn_sessions s
      where of_session is null and s.memory_id = of_memory and s.actor_key = actor and s.tenant_id = for_tenant
      union all
      select s.session_key, s.words from turn_sessions s
      where of_actor is null and s.memory_id = of_memory and s.tenant_id = for_tenant
    ) o
  )
  union all
  select w.n::integer, l.places
  from (
    select u.n, hashtextextended(u.stem, memory) as word from unnest(stems) with ordinality u (stem, n)
  ) w
  cross join lateral (
    select string_agg(concat_ws(' ', p.session_key, p.place, p.count, p.words), ' ') as places from turn_words p
    where of_actor is null and p.word = w.word having of_actor is null
    union all
    select string_agg(concat_ws(' ', p.session_key, p.place, p.count, p.words), ' ') from turn_words p
    where of_session is null and p.word = w.word and p.actor_key = actor having of_actor is not null and of_session is null
    union all
    select string_agg(concat_ws(' ', p.session_key, p.place, p.count, p.words), ' ') from turn_words p
    where p.word = w.word and p.actor_key = actor and p.session_key = of_session having of_session is not null
  ) l
  where l.places is not null;
end $$;
