-- Up Migration

-- A segment that may still grow was written anew with each turn: its data, which another process had read and sent back, and the
-- array of its words. Turns are now appended to its data, and the words are listed once, when it is sealed. Until then its words
-- are looked for in its data. No indexed column of it changes, and its page keeps room for the next version.
update turn_segments set terms = '{}' where not is_sealed;
alter table turn_segments set (fillfactor = 60);

-- The position of the newest or oldest answer to a question, which may be beyond the index of turns. `exact`: the text as
-- JSON, if a hash cannot tell it from others.
create or replace function find_answer(
  for_tenant uuid, of_memory uuid, of_actor text, of_session text, words text, exact text, oldest boolean
) returns bigint
language plpgsql stable security definer set search_path from current set plan_cache_mode = force_generic_plan
set enable_seqscan = off set jit = off set max_parallel_workers_per_gather = 0 as $$
#variable_conflict use_column
declare
  term constant integer := question_term(for_tenant, of_memory, words);
  actor constant bigint := hashtextextended(of_actor, turn_memory(for_tenant, of_memory));
  key constant bigint := (
    select s.session_key from sessions s where s.tenant_id = for_tenant and s.memory_id = of_memory
      and s.actor_id = of_actor and s.session_id = of_session);
  indexed constant bigint := (select c.position from question_cursor c where c.name = 'turns');
  -- Positions are compared with this sign: the least is preferred.
  sign constant integer := case when oldest then 1 else -1 end;
  best bigint;
  answer bigint;
  tried integer := 0;
  is_small boolean := false;
  reached bigint;
  one record;
  asked record;
begin
  if not reach_allowed(for_tenant, of_memory) or (of_session is not null and key is null) then
    return null;
  end if;
  for asked in
    select i.position, i.session_key, i.sequence from (
      -- The limit is a hint for the planner: twice what a reader leaves beyond the index.
      select e.* from events e where e.partition = 0 and e.position > indexed order by e.position desc limit 4000
    ) i
    where i.tenant_id = for_tenant and i.memory_id = of_memory and (key is null or i.session_key = key)
      and question_words(i.type, i.data) = words and (exact is null or strpos(i.data::text, exact) > 0)
      and (i.expires_at is null or i.expires_at > now())
      and (of_actor is null or exists (select from sessions s where s.session_key = i.session_key and s.actor_id = of_actor))
    order by sign * i.position
  loop
    answer := answer_after(for_tenant, asked.session_key, asked.sequence);
    best := case when answer is not null then asked.position end;
    exit when answer is not null;
  end loop;
  if best is not null and not oldest then
    return answer;
  end if;

  if of_actor is not null then
    select count(*) <= 2000 into is_small from (
      (select from turn_segments i where key is null and i.memory_id = of_memory and i.actor_key = actor limit 2001)
      union all
      (select from turn_segments i where i.session_key = key limit 2001)
    ) s;
  end if;
  -- All segments of a small scope. Of a large one, first those that a question asked by many is in, and then all.
  for round in 1..2 loop
    reached := 9223372036854775807;
    if round = 1 and not is_small then
      select case when count(*) = 200 then max(s.edge) else reached end into reached from (
        (select -i.last_position as edge from turn_segments i
         where not oldest and i.memory_id = of_memory and i.is_sealed order by i.last_position desc limit 200)
        union all
        (select i.first_position from turn_segments i
         where oldest and i.memory_id = of_memory and i.is_sealed order by i.first_position limit 200)
      ) s;
    end if;
    for one in
      select t.session_key, t.first_sequence, t.last_sequence,
             case
               when oldest then t.first_position when t.is_sealed then -t.last_position else -9223372036854775807
             end as edge
      from (
        select i.* from turn_segments i
        where is_small and key is null and i.memory_id = of_memory and i.actor_key = actor
          and case when i.is_sealed then term = any (i.terms) else position(int4send(term) in i.data) > 0 end
        union all
        select i.* from turn_segments i where is_small and i.session_key = key
          and case when i.is_sealed then term = any (i.terms) else position(int4send(term) in i.data) > 0 end
        union all
        select i.* from turn_segments i
        where not is_small and i.memory_id = of_memory and not i.is_sealed and position(int4send(term) in i.data) > 0
        union all
        select i.* from turn_segments i
        where not is_small and round = 1 and not oldest and i.memory_id = of_memory and i.is_sealed
          and i.last_position >= -reached and term = any (i.terms)
        union all
        select i.* from turn_segments i
        where not is_small and round = 1 and oldest and i.memory_id = of_memory and i.is_sealed
          and i.first_position <= reached and term = any (i.terms)
        union all
        (select i.* from turn_segments i
         where not is_small and round = 2 and i.is_sealed and i.terms @> array[term] and i.memory_id = of_memory offset 0)
      ) t
      where t.tenant_id = for_tenant and (of_actor is null or t.actor_key = actor) and (key is null or t.session_key = key)
      order by edge, t.session_key, t.first_sequence
    loop
      exit when sign * best < one.edge or tried >= 1000;
      for asked in
        select e.position, e.session_key, e.sequence from events e
        where e.session_key = one.session_key and e.sequence between one.first_sequence and one.last_sequence
          and (best is null or sign * e.position < sign * best)
          and question_words(e.type, e.data) = words and (exact is null or strpos(e.data::text, exact) > 0)
          and (e.expires_at is null or e.expires_at > now())
        order by sign * e.sequence
      loop
        tried := tried + 1;
        one.edge := answer_after(for_tenant, asked.session_key, asked.sequence);
        continue when one.edge is null;
        answer := one.edge;
        best := asked.position;
        exit;
      end loop;
    end loop;
    exit when sign * best <= reached or reached = 9223372036854775807;
  end loop;
  return answer;
end $$;

-- Which segments of a scope that is too large to be read whole to read for a question.
--
-- The rarest words decide: a segment weighs as much as those that it has, and the first `best` are read, with the segments
-- beside them. One row per word without a session: in how many segments and sessions it is. Other rows: the segments.
create or replace function find_turn_segments(
  for_tenant uuid, of_memory uuid, of_actor text, of_session bigint, words integer[], scope_turns double precision,
  best integer, first_days integer[], last_days integer[]
) returns table (
  word integer, segments integer, sessions integer, session_key double precision, speakers text[], data bytea
)
language plpgsql stable security definer set search_path from current set jit = off set enable_seqscan = off
set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  actor constant bigint := hashtextextended(of_actor, turn_memory(for_tenant, of_memory));
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  with word as (
    select w.n::integer as n, w.word from unnest(words) with ordinality w (word, n)
  ), holding as materialized (
    select w.n, t.session_key, t.first_sequence
    from word w cross join lateral (
      select i.session_key, i.first_sequence from turn_segments i
      where i.is_sealed and i.terms @> array[w.word] and i.memory_id = of_memory and i.tenant_id = for_tenant
        and (of_actor is null or i.actor_key = actor) and (of_session is null or i.session_key = of_session)
      offset 0
    ) t
    union all
    select w.n, t.session_key, t.first_sequence
    from turn_segments t join word w on position(int4send(w.word) in t.data) > 0
    where not t.is_sealed and t.memory_id = of_memory and t.tenant_id = for_tenant
      and (of_actor is null or t.actor_key = actor) and (of_session is null or t.session_key = of_session)
  ), counted as materialized (
    select h.n, count(*) as segments, count(distinct h.session_key) as sessions from holding h group by h.n
  ), weighed as (
    select c.n, ln(1 + scope_turns / c.segments) as weight, sum(c.segments) over (order by c.segments, c.n) - c.segments as before
    from counted c
  ), chosen as (
    select h.session_key, h.first_sequence, sum(w.weight) as weight
    from holding h join weighed w on w.n = h.n and w.before < 20000
    group by h.session_key, h.first_sequence order by weight desc, h.session_key, h.first_sequence limit best
  ), of_days as (
    select t.session_key, t.first_sequence from unnest(first_days, last_days) d (first, last)
    cross join lateral (
      select i.session_key, i.first_sequence from turn_segments i
      where i.memory_id = of_memory and i.tenant_id = for_tenant and (of_actor is null or i.actor_key = actor)
        and (of_session is null or i.session_key = of_session) and i.first_day <= d.last and i.last_day >= d.first
      order by i.session_key, i.first_sequence limit 16
    ) t
  ), wanted as (
    select c.session_key, c.first_sequence from chosen c
    union
    select b.session_key, b.first_sequence from chosen c cross join lateral (
      (select i.session_key, i.first_sequence from turn_segments i
       where i.session_key = c.session_key and i.first_sequence < c.first_sequence order by i.first_sequence desc limit 8)
      union all
      (select i.session_key, i.first_sequence from turn_segments i
       where i.session_key = c.session_key and i.first_sequence > c.first_sequence order by i.first_sequence limit 8)
    ) b
    union
    select d.session_key, d.first_sequence from of_days d
  )
  select c.n, c.segments::integer, c.sessions::integer, null::float8, null::text[], null::bytea from counted c
  union all
  select null, null, null, t.session_key::float8, t.speakers, t.data
  from wanted w cross join lateral (
    select i.* from turn_segments i where i.session_key = w.session_key and i.first_sequence = w.first_sequence limit 1
  ) t;
end $$;

-- Takes deleted turns out of their segments. A deletion of events holds the lock ('TURN', 7) shared until it ends: while it is
-- free, nothing is being deleted.
create or replace function forget_turns() returns trigger
language plpgsql security definer set search_path from current as $$
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
          terms = case
            when held.is_sealed then array(select distinct w.term from terms_in(held.data) w order by w.term) else '{}'
          end
      where t.session_key = n.session_key and t.first_sequence = n.first_sequence;
    end if;
  end loop;
  return null;
end $$;

create or replace trigger forget_turns after delete on events
  referencing old table as gone for each statement execute function forget_turns();

-- Stores segments, and the position that the index reaches with them.
--
-- `taken`: the positions of their messages. `blocked`, and nothing is stored: the first of them that is being deleted, or is
-- gone. `versions`: those of the rows that were read, null for new ones. `rows` say whether `data` is appended to that of the row,
-- with their turns and words, or is all of it; null: nothing is left.
create or replace function store_turn_segments(
  after_position bigint, upto_position bigint, taken bigint[], session_keys bigint[], first_sequences bigint[],
  versions text[], rows json, terms text[], data bytea[]
) returns table (reached bigint, blocked bigint)
language plpgsql security definer set search_path from current set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off
set enable_mergejoin = off set jit = off as $$
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
    -- No deletion is under way, and each past one has left a tombstone.
    select min(t.position) into blocked from tombstones t
    where t.partition = 0 and t.position > after_position and t.position <= upto_position and t.position = any (taken);
  else
    held := array(
      select e.position from events e
      where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (taken)
      order by e.position for key share skip locked
    );
    if cardinality(held) < cardinality(taken) then
      select min(t) into blocked from unnest(taken) t where t <> all (held);
    end if;
  end if;
  if blocked is not null then
    return next;
    return;
  end if;

  -- A deletion that changed one of the rows since it was read comes first.
  if (
    select count(*) from unnest(session_keys, first_sequences, versions) as n (session_key, first_sequence, version)
    left join lateral (
      select i.xmin::text as version from turn_segments i
      where i.session_key = n.session_key and i.first_sequence = n.first_sequence for update
    ) o on true
    where o.version is distinct from n.version
  ) > 0 then
    reached := null;
    return next;
    return;
  end if;
  if array_position(data, null) is not null then
    delete from turn_segments t using unnest(session_keys, first_sequences, data) as n (session_key, first_sequence, data)
    where n.data is null and t.session_key = n.session_key and t.first_sequence = n.first_sequence;
  end if;
  with changed as materialized (
    select n.* from rows from (
      unnest(session_keys), unnest(first_sequences), unnest(terms), unnest(data),
      json_to_recordset(rows) as (
        is_whole boolean, last_sequence bigint, last_place integer, first_position bigint, last_position bigint,
        turns integer, words bigint, first_day integer, last_day integer, speakers text[], languages text[],
        is_sealed boolean
      )
    ) as n (session_key, first_sequence, terms, data, is_whole, last_sequence, last_place, first_position, last_position,
            turns, words, first_day, last_day, speakers, languages, is_sealed)
    where n.data is not null
  ), grown as (
    update turn_segments t
    set last_sequence = n.last_sequence, last_place = n.last_place, turns = t.turns + n.turns, words = t.words + n.words,
        first_day = least(t.first_day, n.first_day), last_day = greatest(t.last_day, n.last_day), speakers = n.speakers,
        languages = n.languages, terms = '{}', data = t.data || n.data, is_sealed = false, changed_at = now()
    from changed n where not n.is_whole and t.session_key = n.session_key and t.first_sequence = n.first_sequence
  )
  insert into turn_segments as t (session_key, first_sequence, last_sequence, last_place, tenant_id, memory_id, actor_key,
    first_position, last_position, turns, words, first_day, last_day, speakers, languages, terms, data, is_sealed)
  select n.session_key, n.first_sequence, n.last_sequence, n.last_place, s.tenant_id, s.memory_id,
         hashtextextended(s.actor_id, turn_memory(s.tenant_id, s.memory_id)), n.first_position,
         n.last_position, n.turns, n.words, n.first_day, n.last_day, n.speakers, n.languages,
         n.terms::integer[], n.data, n.is_sealed
  from changed n
  cross join lateral (select i.* from sessions i where i.session_key = n.session_key limit 1) s
  where n.is_whole
  on conflict (session_key, first_sequence) do update
  set last_sequence = excluded.last_sequence, last_place = excluded.last_place,
      last_position = excluded.last_position, turns = excluded.turns,
      words = excluded.words, first_day = excluded.first_day, last_day = excluded.last_day, speakers = excluded.speakers,
      languages = excluded.languages, terms = excluded.terms, data = excluded.data, is_sealed = excluded.is_sealed,
      changed_at = now();
  update question_cursor set position = upto_position where name = 'turns';
  reached := upto_position;
  return next;
end $$;

-- Enters words of segments into the index of words. Rows that changed since they were read are left out.
drop function if exists seal_turn_segments(interval, integer);
create function seal_turn_segments(session_keys bigint[], first_sequences bigint[], versions text[], words text[])
returns void language sql security definer set search_path from current set enable_seqscan = off as $$
  update turn_segments t
  set is_sealed = true, terms = n.terms::integer[], last_position = coalesce((
    select e.position from events e
    where e.session_key = t.session_key and e.sequence <= t.last_sequence and e.sequence is not null
    order by e.sequence desc limit 1), t.first_position)
  from unnest(session_keys, first_sequences, versions, seal_turn_segments.words)
    as n (session_key, first_sequence, version, terms)
  where t.session_key = n.session_key and t.first_sequence = n.first_sequence and t.xmin::text = n.version;
$$;
