-- Up Migration

-- Generic plans are made on the first call, when the log may be empty, and kept until the first ANALYZE. For an almost
-- empty log the planner joined the whole partition to the turns or sessions of a page: in the first minutes of an
-- installation, every call read the whole log. Pages are now read in the order of positions, which only one index
-- gives, and joins are lookups with LIMIT, which the planner cannot turn around.

-- The newest position of the log; 0 for an empty one. A deleted event still counts.
create function head_position() returns bigint language plpgsql stable
set search_path from current set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
begin
  return greatest(
    (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
    (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
    0
  );
end $$;

create or replace function index_turns(after_position bigint, upto_position bigint, turns json)
returns bigint language plpgsql security definer
set search_path from current set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  wanted constant bigint[] := array(select (t ->> 'position')::bigint from json_array_elements(turns) t);
  held bigint[];
  of_sessions bigint[];
  reached bigint;
  upto bigint;
begin
  select c.position into reached from question_cursor c where c.name = 'turns' for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  -- A crash that loses these rows loses the cursor as well, and the turns are indexed again.
  perform set_config('synchronous_commit', 'off', true);
  -- The events are locked until the commit: a later deletion finds the rows written here. An event that is being deleted
  -- ends this batch before it.
  select array_agg(h.position), array_agg(distinct h.session_key) into held, of_sessions from (
    select e.position, e.session_key from events e
    where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (wanted)
    order by e.position for key share skip locked
  ) h;
  if coalesce(cardinality(held), 0) < cardinality(wanted) then
    select e.position - 1 into upto from events e
    where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (wanted)
      and e.position <> all (coalesce(held, '{}'))
    order by e.position limit 1;
  end if;
  upto := least(upto_position, upto);

  perform from turn_sessions o where o.session_key = any (of_sessions) order by o.session_key for update;
  with taken as materialized (
    select
      e.session_key, e.sequence, e.tenant_id, e.memory_id, m.memory, hashtextextended(s.actor_id, m.memory) as actor_key,
      coalesce(o.last_place, 0) + row_number() over (partition by e.session_key order by t.position) as place,
      t.day, t.traits, t.speaker, t.language, t.words, t.terms as stems, t.counts
    from json_to_recordset(turns) as t (
      position bigint, day integer, traits smallint, speaker text, language text, words integer, terms text[],
      counts smallint[]
    )
    cross join lateral (
      select e.session_key, e.sequence, e.tenant_id, e.memory_id from events e
      where e.partition = 0 and e.position = t.position limit 1
    ) e
    cross join lateral (select s.actor_id from sessions s where s.session_key = e.session_key limit 1) s
    left join lateral (select o.last_place from turn_sessions o where o.session_key = e.session_key limit 1) o on true
    cross join lateral (select turn_memory(e.tenant_id, e.memory_id) as memory) m
    where t.position <= upto
  ), changed_sessions as (
    insert into turn_sessions as o
    select n.session_key, (array_agg(n.tenant_id))[1], (array_agg(n.memory_id))[1], max(n.actor_key), max(n.place),
           count(*), sum(n.words), min(n.day), max(n.day),
           coalesce(array_agg(distinct n.speaker) filter (where n.speaker is not null), '{}'),
           array_agg(distinct n.language)
    from taken n group by n.session_key order by n.session_key
    on conflict (session_key) do update
    set last_place = excluded.last_place, turns = o.turns + excluded.turns, words = o.words + excluded.words,
        first_day = least(o.first_day, excluded.first_day), last_day = greatest(o.last_day, excluded.last_day),
        speakers = array(select distinct x from unnest(o.speakers || excluded.speakers) x order by x),
        languages = array(select distinct x from unnest(o.languages || excluded.languages) x order by x)
  ), added_turns as (
    insert into turns (session_key, place, sequence, tenant_id, day, traits, speaker, language, words, terms)
    select n.session_key, n.place, n.sequence, n.tenant_id, n.day, n.traits, n.speaker, n.language, n.words,
           array(select hashtextextended(stem, n.memory) from unnest(n.stems) stem)
    from taken n
  )
  insert into turn_words (word, actor_key, session_key, place, count, words)
  select hashtextextended(w.stem, n.memory), n.actor_key, n.session_key, n.place, w.count, least(n.words, 32767)
  from taken n cross join lateral unnest(n.stems, n.counts) as w (stem, count)
  order by 1, 2, 3, 4;
  update question_cursor set position = upto where name = 'turns';
  return upto;
end $$;

create or replace function index_activity(most integer)
returns bigint language plpgsql security definer
set search_path from current set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  done bigint;
  head bigint;
  upto bigint;
begin
  select c.position into done from question_cursor c where c.name = 'activity' for update skip locked;
  if done is null then
    return null;
  end if;
  head := head_position();
  upto := least(head, done + most);
  if upto <= done then
    return 0;
  end if;
  -- The sessions are locked until the commit: a later erasure finds the rows written here, and an earlier one has
  -- deleted the sessions.
  with page as materialized (
    select e.session_key, e.position, e.recorded_at from events e
    where e.partition = 0 and e.position > done and e.position <= upto and e.sequence is not null
    order by e.position
  ), newest as materialized (
    select distinct on (p.session_key) p.session_key, p.position, p.recorded_at
    from page p order by p.session_key, p.position desc
  )
  insert into session_activity as a (session_key, tenant_id, memory_id, actor_key, last_position, last_at)
  select n.session_key, s.tenant_id, s.memory_id, activity_actor(s.tenant_id, s.memory_id, s.actor_id), n.position,
         n.recorded_at
  from newest n
  cross join lateral (
    select s.tenant_id, s.memory_id, s.actor_id, s.session_id from sessions s where s.session_key = n.session_key limit 1
    for key share
  ) s
  -- Hidden sessions are in no listing.
  where s.session_id >= chr(2)
  order by n.session_key
  on conflict (session_key) do update set last_position = excluded.last_position, last_at = excluded.last_at;
  update question_cursor set position = upto where name = 'activity';
  return head - upto;
end $$;

-- Down Migration
