-- Up Migration

-- Tombstones older than a retention are merged into ranges: of positions, so that every hole in the log stays explained,
-- and of a session's sequences, so that a record's source is still known to have expired. The tombstone with the highest
-- sequence of a session that has no newer event stays as it is, marked `kept`: an append goes on from it. The previous
-- release survives this, but its audit reports merged positions as missing.
create table buried_positions (
  partition smallint not null,
  first bigint not null,
  last bigint not null,
  -- Why events of the range were deleted, and when the last of them was.
  reasons text[] not null,
  at timestamptz not null,
  primary key (partition, first),
  unique (partition, last),
  check (first <= last)
);
create table buried_sequences (
  session_key bigint not null,
  tenant_id uuid not null,
  first bigint not null,
  last bigint not null,
  reason text not null,
  primary key (session_key, first),
  unique (session_key, last),
  check (first <= last)
);

alter table tombstones add column kept boolean not null default false;
create index tombstones_to_merge on tombstones (at) where not kept;
create index closed_sessions_purged on closed_sessions (purged_at) where purged_at is not null;

drop trigger tombstones_stay on tombstones;
create trigger tombstones_stay before truncate or update of partition, position, tenant_id, session_key, sequence, reason, at
  on tombstones for each statement execute function refuse_change();
create trigger tombstones_are_only_merged before delete or update of kept on tombstones
  for each statement execute function refuse_unless_meant('burial');
create trigger buried_positions_stay before insert or update or delete on buried_positions
  for each statement execute function refuse_unless_meant('burial');
create trigger buried_sequences_stay before insert or update or delete on buried_sequences
  for each statement execute function refuse_unless_meant('burial');

-- Merges at most so many tombstones that are older than this, and answers how many it looked at; 0: nothing is left, or
-- another process is at it. A tombstone at the head of the log is never merged: the head is read from it.
create function merge_tombstones(days integer, most integer)
returns integer language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  due constant timestamptz := clock_timestamp() - make_interval(days => days);
  newest bigint;
  places bigint[];
  looked integer;
begin
  if not pg_try_advisory_xact_lock(1414877774, 2) then
    return 0;
  end if;
  perform set_config('turnkeeper.change', 'burial', true);
  select t.position into newest from tombstones t where t.partition = 0 order by t.position desc limit 1;
  if exists (select from events e where e.partition = 0 and e.position > newest) then
    newest := null;
  end if;
  select array_agg(d.position) into places from (
    select t.position from tombstones t where not t.kept and t.at < due order by t.at limit most
  ) d;
  looked := coalesce(array_length(places, 1), 0);
  if looked = 0 or places = array[newest] then
    perform set_config('turnkeeper.change', '', true);
    return 0;
  end if;
  if newest is not null then
    places := array_remove(places, newest);
  end if;

  -- The highest sequence of a session that was not erased: nothing else would say where it goes on.
  update tombstones t set kept = true
  where t.partition = 0 and t.position = any (places) and t.sequence is not null
    and not exists (select from events e where e.session_key = t.session_key and e.sequence > t.sequence)
    and not exists (select from tombstones h where h.session_key = t.session_key and h.sequence > t.sequence)
    and exists (select from sessions s where s.session_key = t.session_key);

  with gone as materialized (
    delete from tombstones t where t.partition = 0 and t.position = any (array(
      select d.position from unnest(places) as d (position)
      join tombstones own on own.partition = 0 and own.position = d.position and not own.kept
      union
      -- What was kept of a session before one with a higher sequence came.
      select k.position from unnest(places) as d (position)
      join tombstones own on own.partition = 0 and own.position = d.position and own.sequence is not null
      join tombstones k on k.session_key = own.session_key and k.sequence < own.sequence and k.kept
    ))
    returning t.position, t.tenant_id, t.session_key, t.sequence, t.reason, t.at
  ), islands as materialized (
    select unnest(range_agg(int8range(g.position, g.position + 1))) as r from gone g
  ), beside as (
    delete from buried_positions b where b.partition = 0 and b.first = any (array(
      select l.first from islands i join buried_positions l on l.partition = 0 and l.last = lower(i.r) - 1
      union all
      select upper(i.r) from islands i
    ))
    returning b.first, b.last, b.reasons, b.at
  ), parts as materialized (
    select g.position as first, g.position as last, array[g.reason] as reasons, g.at from gone g
    union all
    select b.first, b.last, b.reasons, b.at from beside b
  ), ordered as (
    select p.*, p.first > 1 + max(p.last) over (order by p.first rows between unbounded preceding and 1 preceding)
      as starts from parts p
  ), numbered as (
    select o.*, count(*) filter (where o.starts) over (order by o.first) as island from ordered o
  ), positions as (
    insert into buried_positions (partition, first, last, reasons, at)
    select 0, min(n.first), max(n.last), array(
             select distinct x from numbered o, unnest(o.reasons) x where o.island = n.island order by x
           ), max(n.at)
    from numbered n group by n.island
  ), numbers as materialized (
    -- Of erased sessions there is nothing to go on from, and their records are gone.
    select g.session_key, g.tenant_id, g.sequence as first, g.sequence as last, g.reason from gone g
    where g.sequence is not null and exists (select from sessions s where s.session_key = g.session_key)
  ), neighbours as (
    delete from buried_sequences b where b.ctid = any (array(
      select l.ctid from numbers n
      join buried_sequences l on l.session_key = n.session_key and l.last = n.first - 1 and l.reason = n.reason
      union
      select h.ctid from numbers n
      join buried_sequences h on h.session_key = n.session_key and h.first = n.last + 1 and h.reason = n.reason
    ))
    returning b.session_key, b.tenant_id, b.first, b.last, b.reason
  ), all_numbers as (
    select * from numbers union all select * from neighbours
  ), sequences as (
    select a.*, a.first > 1 + max(a.last) over (
      partition by a.session_key, a.reason order by a.first rows between unbounded preceding and 1 preceding
    ) as starts from all_numbers a
  ), runs as (
    select s.*, count(*) filter (where s.starts) over (partition by s.session_key, s.reason order by s.first) as run
    from sequences s
  )
  insert into buried_sequences (session_key, tenant_id, first, last, reason)
  select r.session_key, (array_agg(r.tenant_id))[1], min(r.first), max(r.last), r.reason
  from runs r group by r.session_key, r.reason, r.run;
  perform set_config('turnkeeper.change', '', true);
  return looked;
end $$;

-- Forgets erased sessions whose tombstones are merged, and answers how many it looked at.
create function forget_closed_sessions(days integer, most integer)
returns integer language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  due constant timestamptz := clock_timestamp() - make_interval(days => days);
  keys bigint[];
begin
  perform set_config('turnkeeper.change', 'burial', true);
  select array_agg(d.session_key) into keys from (
    select c.session_key from closed_sessions c where c.purged_at < due
      -- Its tombstones are as old as it is, or older: this waits for the merge. The newest one of the log may be its.
      and not exists (select from tombstones t where not t.kept and t.at <= c.purged_at)
    order by c.purged_at limit most for update skip locked
  ) d;
  -- What was kept of a session before it was erased is merged by the next run.
  update tombstones t set kept = false where t.session_key = any (keys) and t.sequence is not null and t.kept;
  delete from buried_sequences b where b.session_key = any (keys);
  delete from closed_sessions c where c.session_key = any (keys)
    and not exists (select from tombstones t where t.session_key = c.session_key and t.sequence is not null);
  perform set_config('turnkeeper.change', '', true);
  return coalesce(array_length(keys, 1), 0);
end $$;
