-- Up Migration

-- The indexer of turns takes in pages ten times as long, and no longer locks each event of a page. A deletion of events holds
-- this lock ('TURN', 7) shared until it ends. If it is free, nothing is being deleted.
create or replace function forget_turns() returns trigger language plpgsql security definer set search_path from current as $$
declare
  n record;
  held turn_segments;
begin
  if not exists (select from gone g where g.type = 'message.appended') then
    return null;
  end if;
  -- The statements below see what an indexer stored that this waited for.
  perform pg_advisory_xact_lock_shared(1414877774, 7);
  for n in
    select t.session_key, t.first_sequence, array_agg(g.sequence) as sequences
    from gone g cross join lateral (
      select i.session_key, i.first_sequence, i.last_sequence from turn_segments i
      where i.session_key = g.session_key and i.first_sequence <= g.sequence order by i.first_sequence desc limit 1
    ) t
    where g.type = 'message.appended' and g.sequence <= t.last_sequence
    group by t.session_key, t.first_sequence order by t.session_key, t.first_sequence
  loop
    select * into held from turn_segments t
    where t.session_key = n.session_key and t.first_sequence = n.first_sequence for update;
    continue when not found;
    with kept as materialized (select t.* from turns_in(held.data) t where t.sequence <> all (n.sequences))
    select count(*), sum(k.words), min(k.day), max(k.day),
           string_agg(substring(held.data from k.at + 1 for k.size), ''::bytea order by k.at),
           array(select case when exists (select from kept k where k.speaker = s.n) then s.name else '' end
                 from unnest(held.speakers) with ordinality s (name, n) order by s.n)
    into held.turns, held.words, held.first_day, held.last_day, held.data, held.speakers
    from kept k;
    if held.turns = 0 then
      delete from turn_segments t where t.session_key = n.session_key and t.first_sequence = n.first_sequence;
    else
      update turn_segments t
      set turns = held.turns, words = held.words, first_day = held.first_day, last_day = held.last_day,
          speakers = held.speakers, data = held.data,
          terms = array(select distinct w.term from terms_in(held.data) w order by w.term)
      where t.session_key = n.session_key and t.first_sequence = n.first_sequence;
    end if;
  end loop;
  return null;
end $$;

drop function store_turn_segments(bigint, bigint, bigint[], json);

-- Stores segments, and the position that the index reaches with them.
--
-- `taken`: the positions of their messages beyond the index. While events are being deleted, they are locked until the commit,
-- so that the deletion finds what is written here. `blocked`, and nothing is stored: the first of them that is being deleted,
-- or is gone. The others are the segments: `versions`, null for a new one, is that of the row that was read; `data` null:
-- nothing of it is left.
create function store_turn_segments(after_position bigint, upto_position bigint, taken bigint[], session_keys bigint[],
                                    first_sequences bigint[], versions text[], rows json, terms text[], data bytea[])
returns table (reached bigint, blocked bigint)
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  held bigint[];
begin
  select c.position into reached from question_cursor c where c.name = 'turns' for update skip locked;
  if reached is null or reached <> after_position then
    return next;
    return;
  end if;
  -- A crash that loses these rows loses the cursor as well, and the turns are indexed again.
  perform set_config('synchronous_commit', 'off', true);
  if pg_try_advisory_xact_lock(1414877774, 7) then
    held := array(
      select e.position from events e
      where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (taken)
    );
  else
    held := array(
      select e.position from events e
      where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (taken)
      order by e.position for key share skip locked
    );
  end if;
  if cardinality(held) < cardinality(taken) then
    select min(t) into blocked from unnest(taken) t where t <> all (held);
    return next;
    return;
  end if;

  -- A deletion that changed one of the rows since it was read comes first.
  if exists (
    with stored as materialized (
      select n.n, o.version
      from unnest(session_keys, first_sequences) with ordinality as n (session_key, first_sequence, n)
      cross join lateral (
        select i.xmin::text as version from turn_segments i
        where i.session_key = n.session_key and i.first_sequence = n.first_sequence for update
      ) o
    )
    select from unnest(versions) with ordinality as n (version, n) left join stored o on o.n = n.n
    where o.version is distinct from n.version
  ) then
    reached := null;
    return next;
    return;
  end if;
  if array_position(data, null) is not null then
    delete from turn_segments t using unnest(session_keys, first_sequences, data) as n (session_key, first_sequence, data)
    where n.data is null and t.session_key = n.session_key and t.first_sequence = n.first_sequence;
  end if;
  insert into turn_segments as t (session_key, first_sequence, last_sequence, last_place, tenant_id, memory_id, actor_key,
    turns, words, first_day, last_day, speakers, languages, terms, data, is_sealed)
  select n.session_key, n.first_sequence, n.last_sequence, n.last_place, s.tenant_id, s.memory_id,
         hashtextextended(s.actor_id, turn_memory(s.tenant_id, s.memory_id)), n.turns, n.words, n.first_day, n.last_day,
         n.speakers, n.languages, n.terms::integer[], n.data, n.is_sealed
  from rows from (
    unnest(session_keys), unnest(first_sequences), unnest(terms), unnest(data),
    json_to_recordset(rows) as (
      last_sequence bigint, last_place integer, turns integer, words bigint, first_day integer, last_day integer,
      speakers text[], languages text[], is_sealed boolean
    )
  ) as n (session_key, first_sequence, terms, data, last_sequence, last_place, turns, words, first_day, last_day, speakers,
          languages, is_sealed)
  cross join lateral (select i.* from sessions i where i.session_key = n.session_key limit 1) s
  where n.data is not null
  on conflict (session_key, first_sequence) do update
  set last_sequence = excluded.last_sequence, last_place = excluded.last_place, turns = excluded.turns,
      words = excluded.words, first_day = excluded.first_day, last_day = excluded.last_day, speakers = excluded.speakers,
      languages = excluded.languages, terms = excluded.terms, data = excluded.data, is_sealed = excluded.is_sealed,
      changed_at = now();
  update question_cursor set position = upto_position where name = 'turns';
  reached := upto_position;
  return next;
end $$;
