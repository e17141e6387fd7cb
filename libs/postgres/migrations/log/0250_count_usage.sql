-- Up Migration

-- Counts per memory, actor and session are stored, so that reading them costs the same for any size of log.
--
-- A transaction that changes what is counted inserts a row into usage_changes; it updates no counter, so it waits for no
-- other transaction. fold_usage adds these rows to the counters. Readers fold the changes of their memory first, so what
-- they read includes everything committed before. Events that have expired are counted until the purge deletes them;
-- readers subtract them.
--
-- The previous release survives this: it counts rows itself, and triggers record its changes.

create table usage_changes (
  tenant_id uuid not null,
  memory_id uuid not null,
  session_key bigint not null,
  -- Negative for deleted events. A row with two zeros says that the session was created or closed.
  messages integer not null,
  binaries integer not null
);
create index usage_changes_of_session on usage_changes (memory_id, session_key);
-- The table is empty most of the time, and every row that passes through it leaves a dead one.
alter table usage_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- Sessions created by clients: hidden ones are not counted.
create table session_counts (
  session_key bigint primary key,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_key bigint not null,
  messages bigint not null,
  binaries bigint not null
);

-- Actors with at least one session.
create table actor_counts (
  memory_id uuid not null,
  -- A hash: the table must not keep the name of an erased actor.
  actor_key bigint not null,
  tenant_id uuid not null,
  sessions bigint not null,
  primary key (memory_id, actor_key)
);

-- Memories with at least one session.
create table memory_counts (
  memory_id uuid primary key,
  tenant_id uuid not null,
  actors bigint not null,
  sessions bigint not null,
  messages bigint not null,
  binaries bigint not null
);

create function usage_actor(of_memory uuid, actor text) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(actor, hashtextextended(of_memory::text, 0));
$$;

create function count_added_events() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into usage_changes (tenant_id, memory_id, session_key, messages, binaries)
  select a.tenant_id, a.memory_id, a.session_key,
         count(*) filter (where a.type = 'message.appended'), count(*) filter (where a.type = 'binary.appended')
  from added a where a.type in ('message.appended', 'binary.appended')
  group by a.tenant_id, a.memory_id, a.session_key;
  return null;
end $$;

create function count_deleted_events() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into usage_changes (tenant_id, memory_id, session_key, messages, binaries)
  select g.tenant_id, g.memory_id, g.session_key,
         -count(*) filter (where g.type = 'message.appended'), -count(*) filter (where g.type = 'binary.appended')
  from gone g where g.type in ('message.appended', 'binary.appended')
  group by g.tenant_id, g.memory_id, g.session_key;
  return null;
end $$;

create function note_changed_sessions() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into usage_changes (tenant_id, memory_id, session_key, messages, binaries)
  select c.tenant_id, c.memory_id, c.session_key, 0, 0 from changed c;
  return null;
end $$;

-- Adds changes to the counters: those of one memory, or of any memory if it is null. Takes at most so many sessions, and
-- returns how many it took. Concurrent calls wait for each other: a call is one short transaction without a client in it.
--
-- All changes of a session are taken at once, in one statement with the session's state. A session without counters is
-- counted from its events, in the same snapshot; a session that is closed loses its counters, and later changes of its
-- events are discarded.
create function fold_usage(of_memory uuid, most integer)
returns integer language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
  lowest constant uuid := coalesce(of_memory, '00000000-0000-0000-0000-000000000000');
  highest constant uuid := coalesce(of_memory, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  memories uuid[];
  keys bigint[];
begin
  if not exists (select from usage_changes u where u.memory_id between lowest and highest) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(1414877774, 5);
  select array_agg(p.memory_id), array_agg(p.session_key) into memories, keys from (
    select distinct u.memory_id, u.session_key from usage_changes u
    where u.memory_id between lowest and highest
    order by u.memory_id, u.session_key limit most
  ) p;
  if keys is null then
    return 0;
  end if;

  with taken as materialized (
    delete from usage_changes u using unnest(memories, keys) as p (memory_id, session_key)
    where u.memory_id = p.memory_id and u.session_key = p.session_key
    returning u.tenant_id, u.memory_id, u.session_key, u.messages, u.binaries
  ), compared as materialized (
    select
      t.tenant_id, t.memory_id, t.session_key,
      s.session_key is not null as lives, o.session_key is not null as was,
      coalesce(o.actor_key, usage_actor(t.memory_id, s.actor_id)) as actor_key,
      coalesce(o.messages, 0) as old_messages, coalesce(o.binaries, 0) as old_binaries,
      case when s.session_key is null then 0 when o.session_key is null then n.messages else o.messages + t.messages
      end as messages,
      case when s.session_key is null then 0 when o.session_key is null then n.binaries else o.binaries + t.binaries
      end as binaries
    from (
      select t.tenant_id, t.memory_id, t.session_key, sum(t.messages) as messages, sum(t.binaries) as binaries
      from taken t group by t.tenant_id, t.memory_id, t.session_key
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
      -- Null where nothing is to be counted: then no event is read.
      where e.session_key = case when s.session_key is not null and o.session_key is null then t.session_key end
        and e.sequence is not null
    ) n
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
  return array_length(keys, 1);
end $$;

-- Discards the counters. They are made from the log when the changes that this inserts are folded.
create function recount_usage() returns void language plpgsql security definer set search_path from current as $$
begin
  perform pg_advisory_xact_lock(1414877774, 5);
  delete from session_counts;
  delete from actor_counts;
  delete from memory_counts;
  insert into usage_changes (tenant_id, memory_id, session_key, messages, binaries)
  select s.tenant_id, s.memory_id, s.session_key, 0, 0 from sessions s;
end $$;

-- What is there already is counted when it is folded for the first time. Most of it is noted before the triggers lock
-- the tables.
insert into usage_changes (tenant_id, memory_id, session_key, messages, binaries)
select s.tenant_id, s.memory_id, s.session_key, 0, 0 from sessions s;

create trigger count_added_events after insert on events
  referencing new table as added for each statement execute function count_added_events();
create trigger count_deleted_events after delete on events
  referencing old table as gone for each statement execute function count_deleted_events();
create trigger note_added_sessions after insert on sessions
  referencing new table as changed for each statement execute function note_changed_sessions();
create trigger note_deleted_sessions after delete on sessions
  referencing old table as changed for each statement execute function note_changed_sessions();

insert into usage_changes (tenant_id, memory_id, session_key, messages, binaries)
select s.tenant_id, s.memory_id, s.session_key, 0, 0 from sessions s
where s.session_key > (select coalesce(max(u.session_key), 0) from usage_changes u);
