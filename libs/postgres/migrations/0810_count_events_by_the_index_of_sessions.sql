-- Up Migration

-- Each append wrote a row per session for the counters. The index of sessions by recency reads every new event anyway, so it
-- counts them too, and a reader adds what is behind the index. Only what was deleted is still recorded as a change.

do $$
begin
  if to_regclass('session_counts') is null then
    return; -- a new database
  end if;
  -- No appends or deletions until the end: everything is folded and indexed once more.
  lock table events, sessions in share row exclusive mode;
  perform from question_cursor where name = 'activity' for update;
  while fold_usage(null, 100000) > 0 loop
  end loop;
  while index_activity(100000) > 0 loop
  end loop;

  alter table session_activity
    add column messages bigint not null default 0,
    add column binaries bigint not null default 0;
  -- Of a session whose events were deleted at once, the index has no row.
  insert into session_activity as a
    (session_key, tenant_id, memory_id, actor_key, last_position, last_at, messages, binaries)
  select c.session_key, c.tenant_id, c.memory_id, activity_actor(s.tenant_id, s.memory_id, s.actor_id), 0, s.created_at,
         c.messages, c.binaries
  from session_counts c join sessions s using (session_key)
  on conflict (session_key) do update set messages = excluded.messages, binaries = excluded.binaries;

  delete from actor_counts;
  insert into actor_counts (memory_id, actor_key, tenant_id, sessions)
  select a.memory_id, a.actor_key, a.tenant_id, count(*) from session_activity a group by 1, 2, 3;

  drop trigger count_added_events on events;
  drop trigger note_added_sessions on sessions;
  drop trigger note_deleted_sessions on sessions;
  drop function count_added_events, note_changed_sessions, fold_usage, fold_sessions, changed_counts, usage_actor;
  drop table session_counts;
  alter table usage_changes add column position bigint, add column actor_key bigint;
end $$;

create or replace function count_deleted_events() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  -- Shared with other deletions. Counting everything anew waits for them: the position is compared with the cursor.
  perform pg_advisory_xact_lock_shared(1414877774, 7);
  insert into usage_changes (tenant_id, memory_id, session_key, position, messages, binaries)
  select g.tenant_id, g.memory_id, g.session_key, case when g.position > c.position then g.position end,
         -count(*) filter (where g.type = 'message.appended'), -count(*) filter (where g.type = 'binary.appended')
  from gone g cross join question_cursor c
  -- What was counted of a deleted session goes with its row.
  where c.name = 'activity' and exists (select from sessions s where s.session_key = g.session_key)
  group by 1, 2, 3, 4;
  return null;
end $$;

create or replace function forget_activity() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  -- As above.
  perform pg_advisory_xact_lock_shared(1414877774, 7);
  with left_over as (
    delete from session_activity a using gone g where a.session_key = g.session_key returning a.*
  )
  insert into usage_changes (tenant_id, memory_id, session_key, actor_key, messages, binaries)
  select o.tenant_id, o.memory_id, o.session_key, o.actor_key, -o.messages, -o.binaries from left_over o;
  return null;
end $$;

-- Returns the number of events left, or null if another process is indexing or holds a row of a counter.
create or replace function index_activity(most integer) returns bigint
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off set lock_timeout = '500ms' as $$
declare
  done bigint;
  head bigint;
  upto bigint;
  emptied uuid[];
begin
  select c.position into done from question_cursor c where c.name = 'activity' for update skip locked;
  if done is null then
    return null;
  end if;
  head := head_position();
  upto := least(head, done + most);
  if upto <= done and not exists (select from usage_changes) then
    return 0;
  end if;
  -- Events and changes are read in one snapshot. The sessions are locked until the commit: a later deletion finds the rows
  -- written here, and an earlier one has deleted the sessions.
  with changed as materialized (
    delete from usage_changes u where u.position is null or u.position <= upto returning u.*
  ), touched as materialized (
    select t.session_key, max(t.position) as position, max(t.position) filter (where t.at is not null) as last_position,
           max(t.at) as last_at, sum(t.messages) as messages, sum(t.binaries) as binaries
    from (
      select e.session_key, e.position, case when e.sequence is not null then e.recorded_at end as at,
             (e.type = 'message.appended')::integer as messages, (e.type = 'binary.appended')::integer as binaries
      from events e
      where e.partition = 0 and e.position > done and e.position <= upto and e.session_key is not null
      union all
      select c.session_key, c.position, null, case when c.position > done then 0 else c.messages end,
             case when c.position > done then 0 else c.binaries end
      from changed c where c.actor_key is null
    ) t group by t.session_key
  ), living as materialized (
    select t.*, s.tenant_id, s.memory_id, activity_actor(s.tenant_id, s.memory_id, s.actor_id) as actor_key,
           a.session_key is null as is_new
    from touched t
    cross join lateral (
      select i.tenant_id, i.memory_id, i.actor_id, i.session_id from sessions i where i.session_key = t.session_key limit 1
      for key share
    ) s
    left join lateral (select i.session_key from session_activity i where i.session_key = t.session_key limit 1) a on true
    -- Hidden sessions are in no list, and not counted.
    where s.session_id >= chr(2)
  ), kept as (
    insert into session_activity as a
      (session_key, tenant_id, memory_id, actor_key, last_position, last_at, messages, binaries)
    select n.session_key, n.tenant_id, n.memory_id, n.actor_key,
           coalesce(n.last_position, case when n.is_new then n.position end, 0), coalesce(n.last_at, clock_timestamp()),
           n.messages, n.binaries
    from living n
    on conflict (session_key) do update
      set last_position = greatest(a.last_position, excluded.last_position),
          last_at = case when excluded.last_position > a.last_position then excluded.last_at else a.last_at end,
          messages = a.messages + excluded.messages, binaries = a.binaries + excluded.binaries
  ), counted as materialized (
    select n.tenant_id, n.memory_id, n.actor_key, n.is_new::integer as sessions, n.messages, n.binaries from living n
    union all
    select c.tenant_id, c.memory_id, c.actor_key, -1, c.messages, c.binaries from changed c where c.actor_key is not null
  ), of_actors as materialized (
    select d.tenant_id, d.memory_id, d.actor_key, coalesce(a.sessions, 0) as before,
           coalesce(a.sessions, 0) + d.sessions as after
    from (
      select c.tenant_id, c.memory_id, c.actor_key, sum(c.sessions) as sessions from counted c
      where c.sessions <> 0 group by c.tenant_id, c.memory_id, c.actor_key
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
  ), kept_memories as (
    insert into memory_counts as m (memory_id, tenant_id, actors, sessions, messages, binaries)
    select
      c.memory_id, c.tenant_id,
      (select coalesce(sum((a.after > 0)::integer - (a.before > 0)::integer), 0) from of_actors a
       where a.memory_id = c.memory_id),
      sum(c.sessions), sum(c.messages), sum(c.binaries)
    from counted c group by c.memory_id, c.tenant_id
    on conflict (memory_id) do update
      set actors = m.actors + excluded.actors, sessions = m.sessions + excluded.sessions,
          messages = m.messages + excluded.messages, binaries = m.binaries + excluded.binaries
    returning m.memory_id, m.sessions
  )
  select array_agg(k.memory_id) into emptied from kept_memories k where k.sessions = 0;
  delete from memory_counts m where m.memory_id = any (emptied);
  update question_cursor set position = upto where name = 'activity';
  return head - upto;
exception when lock_not_available then
  return null;
end $$;

-- Sessions of a memory with events behind the index, and what it will count of them.
create function uncounted_sessions(for_tenant uuid, of_memory uuid, done bigint)
returns table (actor_key bigint, is_new boolean, messages bigint, binaries bigint)
language plpgsql stable set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
  return query
  select activity_actor(for_tenant, of_memory, s.actor_id), a.session_key is null, t.messages, t.binaries
  from (
    select b.session_key, count(*) filter (where b.type = 'message.appended') as messages,
           count(*) filter (where b.type = 'binary.appended') as binaries
    from (
      select e.session_key, e.type from events e
      where e.partition = 0 and e.position > done and e.tenant_id = for_tenant and e.memory_id = of_memory
        and e.session_key is not null
      union all
      select u.session_key, null from usage_changes u
      where u.memory_id = of_memory and u.tenant_id = for_tenant and u.position > done
    ) b group by b.session_key
  ) t
  cross join lateral (
    select i.actor_id, i.session_id from sessions i where i.session_key = t.session_key limit 1
  ) s
  left join lateral (select i.session_key from session_activity i where i.session_key = t.session_key limit 1) a on true
  where s.session_id >= chr(2);
end $$;

-- The index then counts everything anew from the log.
create or replace function recount_usage() returns void
language plpgsql security definer set search_path from current as $$
begin
  perform from question_cursor c where c.name = 'activity' for update;
  perform pg_advisory_xact_lock(1414877774, 7);
  delete from session_activity;
  delete from actor_counts;
  delete from memory_counts;
  delete from usage_changes;
  update question_cursor set position = 0 where name = 'activity';
end $$;

create or replace trigger count_deleted_events after delete on events
  referencing old table as gone for each statement execute function count_deleted_events();

create or replace trigger forget_activity after delete on sessions
  referencing old table as gone for each statement execute function forget_activity();
