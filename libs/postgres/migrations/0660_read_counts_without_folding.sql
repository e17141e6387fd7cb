-- Up Migration

-- Readers of counts folded the changes of their memory first. A fold waits for the other folds and for rows of counters,
-- so one locked row stopped the reads of all tenants. Readers now add the changes to what they read and wait for nothing.
-- Folds wait for a row for a bounded time, and a memory whose rows are locked does not stop the folds of others.

-- Counts of sessions before and after their changes that were not folded yet. A session without counters is counted from
-- its events; a closed one has none. `was` and `lives`: it is counted before and after.
create function changed_counts(memories uuid[], keys bigint[])
returns table (
  tenant_id uuid, memory_id uuid, session_key bigint, lives boolean, was boolean, actor_key bigint, old_messages bigint,
  old_binaries bigint, messages bigint, binaries bigint
)
language plpgsql stable set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
begin
  return query
  select
    t.tenant_id, t.memory_id, t.session_key,
    s.session_key is not null, o.session_key is not null,
    coalesce(o.actor_key, usage_actor(t.memory_id, s.actor_id)),
    coalesce(o.messages, 0), coalesce(o.binaries, 0),
    case when s.session_key is null then 0 when o.session_key is null then n.messages else o.messages + t.messages end,
    case when s.session_key is null then 0 when o.session_key is null then n.binaries else o.binaries + t.binaries end
  from (
    select u.tenant_id, u.memory_id, u.session_key, sum(u.messages) as messages, sum(u.binaries) as binaries
    from unnest(memories, keys) as p (memory_id, session_key)
    join usage_changes u on u.memory_id = p.memory_id and u.session_key = p.session_key
    group by u.tenant_id, u.memory_id, u.session_key
  ) t
  left join lateral (
    select k.session_key, k.actor_id from sessions k
    where k.session_key = t.session_key and k.session_id >= chr(2) limit 1
  ) s on true
  left join lateral (
    select c.session_key, c.actor_key, c.messages, c.binaries from session_counts c
    where c.session_key = t.session_key limit 1
  ) o on true
  cross join lateral (
    select count(*) filter (where e.type = 'message.appended') as messages,
           count(*) filter (where e.type = 'binary.appended') as binaries
    from events e
    -- Null if nothing is to be counted: then no event is read.
    where e.session_key = case when s.session_key is not null and o.session_key is null then t.session_key end
      and e.sequence is not null
  ) n;
end $$;

-- Adds the changes of these sessions to the counters. Only called by one fold at a time.
create function fold_sessions(memories uuid[], keys bigint[]) returns void
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
begin
  -- The changes are counted and deleted in one snapshot.
  with taken as (
    delete from usage_changes u using unnest(memories, keys) as p (memory_id, session_key)
    where u.memory_id = p.memory_id and u.session_key = p.session_key
  ), compared as materialized (
    select c.* from changed_counts(memories, keys) c
  ), kept_sessions as (
    insert into session_counts (session_key, tenant_id, memory_id, actor_key, messages, binaries)
    select c.session_key, c.tenant_id, c.memory_id, c.actor_key, c.messages, c.binaries from compared c where c.lives
    on conflict (session_key) do update set messages = excluded.messages, binaries = excluded.binaries
  ), gone_sessions as (
    delete from session_counts o using compared c where o.session_key = c.session_key and not c.lives
  ), of_actors as materialized (
    select d.tenant_id, d.memory_id, d.actor_key, coalesce(a.sessions, 0) as before,
           coalesce(a.sessions, 0) + d.sessions as after
    from (
      select c.tenant_id, c.memory_id, c.actor_key, sum(c.lives::integer - c.was::integer) as sessions
      from compared c where c.lives <> c.was group by c.tenant_id, c.memory_id, c.actor_key
    ) d
    left join lateral (
      select i.sessions from actor_counts i where i.memory_id = d.memory_id and i.actor_key = d.actor_key limit 1
    ) a on true
  ), kept_actors as (
    insert into actor_counts (memory_id, actor_key, tenant_id, sessions)
    select a.memory_id, a.actor_key, a.tenant_id, a.after from of_actors a where a.after > 0
    on conflict (memory_id, actor_key) do update set sessions = excluded.sessions
  ), gone_actors as (
    delete from actor_counts o using of_actors a
    where o.memory_id = a.memory_id and o.actor_key = a.actor_key and a.after = 0
  )
  insert into memory_counts as m (memory_id, tenant_id, actors, sessions, messages, binaries)
  select
    c.memory_id, c.tenant_id,
    (select coalesce(sum((a.after > 0)::integer - (a.before > 0)::integer), 0) from of_actors a
     where a.memory_id = c.memory_id),
    sum(c.lives::integer - c.was::integer), sum(c.messages - c.old_messages), sum(c.binaries - c.old_binaries)
  from compared c where c.lives or c.was
  group by c.memory_id, c.tenant_id
  on conflict (memory_id) do update
    set actors = m.actors + excluded.actors, sessions = m.sessions + excluded.sessions,
        messages = m.messages + excluded.messages, binaries = m.binaries + excluded.binaries;
  delete from memory_counts m where m.memory_id = any (memories) and m.sessions = 0;
end $$;

-- Adds the changes of these memories to their totals. Only called by one fold at a time.
create function fold_memories(memories uuid[]) returns void
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
begin
  with taken as materialized (
    delete from total_changes t where t.memory_id = any (memories) returning t.*
  )
  insert into strategy_totals as s
    (memory_id, strategy_id, tenant_id, current_records, superseded_records, records_made, model_calls, input_tokens,
     output_tokens)
  select t.memory_id, coalesce(t.strategy_id, '00000000-0000-0000-0000-000000000000'), t.tenant_id,
         sum(t.current_records), sum(t.superseded_records), sum(t.records_made), sum(t.model_calls), sum(t.input_tokens),
         sum(t.output_tokens)
  from taken t
  group by t.memory_id, coalesce(t.strategy_id, '00000000-0000-0000-0000-000000000000'), t.tenant_id
  on conflict (memory_id, strategy_id) do update
    set current_records = s.current_records + excluded.current_records,
        superseded_records = s.superseded_records + excluded.superseded_records,
        records_made = s.records_made + excluded.records_made,
        model_calls = s.model_calls + excluded.model_calls,
        input_tokens = s.input_tokens + excluded.input_tokens,
        output_tokens = s.output_tokens + excluded.output_tokens;
  -- A memory's row is deleted last, so changes that are folded after it are discarded.
  delete from strategy_totals s
  where s.memory_id = any (memories)
    and (select m.memory_id from memories m where m.memory_id = s.memory_id) is null;
end $$;

-- The next changed sessions, at most so many. Starts at a random memory, so that one whose rows are locked cannot keep
-- others from their turn. Returns how many were folded; processes of earlier versions pass a memory.
create or replace function fold_usage(of_memory uuid, most integer) returns integer
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set jit = off set lock_timeout = '500ms' as $$
#variable_conflict use_column
declare
  lowest constant uuid := coalesce(of_memory, '00000000-0000-0000-0000-000000000000');
  highest constant uuid := coalesce(of_memory, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  first constant uuid := coalesce(of_memory, gen_random_uuid());
  memories uuid[];
  keys bigint[];
  one uuid;
  own_keys bigint[];
  folded integer := 0;
begin
  if not exists (select from usage_changes u where u.memory_id between lowest and highest) then
    return 0;
  end if;
  if not pg_try_advisory_xact_lock(1414877774, 5) then
    return 0;
  end if;
  select array_agg(p.memory_id), array_agg(p.session_key) into memories, keys from (
    (select distinct u.memory_id, u.session_key from usage_changes u
     where u.memory_id between first and highest order by u.memory_id, u.session_key limit most)
    union all
    (select distinct u.memory_id, u.session_key from usage_changes u
     where u.memory_id >= lowest and u.memory_id < first order by u.memory_id, u.session_key limit most)
    limit most
  ) p;
  if keys is null then
    return 0;
  end if;
  begin
    perform fold_sessions(memories, keys);
    return array_length(keys, 1);
  exception when lock_not_available then
    perform set_config('lock_timeout', '20ms', true);
  end;
  for one, own_keys in
    select p.memory_id, array_agg(p.session_key) from unnest(memories, keys) as p (memory_id, session_key) group by 1
  loop
    begin
      perform fold_sessions(array_fill(one, array[array_length(own_keys, 1)]), own_keys);
      folded := folded + array_length(own_keys, 1);
    exception when lock_not_available then
      -- Another fold will try again.
    end;
  end loop;
  return folded;
end $$;

-- The same for the totals of records and extraction: the next changed memories, at most so many.
create or replace function fold_totals(of_memory uuid, most integer) returns integer
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set jit = off set lock_timeout = '500ms' as $$
#variable_conflict use_column
declare
  lowest constant uuid := coalesce(of_memory, '00000000-0000-0000-0000-000000000000');
  highest constant uuid := coalesce(of_memory, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  first constant uuid := coalesce(of_memory, gen_random_uuid());
  memories uuid[];
  one uuid;
  folded integer := 0;
begin
  if not exists (select from total_changes t where t.memory_id between lowest and highest) then
    return 0;
  end if;
  if not pg_try_advisory_xact_lock(1414877774, 6) then
    return 0;
  end if;
  select array_agg(p.memory_id) into memories from (
    (select distinct t.memory_id from total_changes t
     where t.memory_id between first and highest order by t.memory_id limit most)
    union all
    (select distinct t.memory_id from total_changes t
     where t.memory_id >= lowest and t.memory_id < first order by t.memory_id limit most)
    limit most
  ) p;
  if memories is null then
    return 0;
  end if;
  begin
    perform fold_memories(memories);
    return array_length(memories, 1);
  exception when lock_not_available then
    perform set_config('lock_timeout', '20ms', true);
  end;
  foreach one in array memories loop
    begin
      perform fold_memories(array[one]);
      folded := folded + 1;
    exception when lock_not_available then
      -- Another fold will try again.
    end;
  end loop;
  return folded;
end $$;
