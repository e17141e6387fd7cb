-- Up Migration

-- Equal questions are found in the index of turns. A turn of a user has, behind its words, a hash of its whole text, which is
-- also among the terms of the segment. The index of questions of their own, with three entries per question, goes.
create function question_term(for_tenant uuid, of_memory uuid, words text) returns integer
language sql immutable parallel safe as $$
  -- No word has a question mark.
  select (hashtextextended('?' || words, turn_memory(for_tenant, of_memory)) & 4294967295)::bit(32)::integer;
$$;

alter table turn_segments add column first_position bigint, add column last_position bigint;
do $$
begin
  perform from question_cursor c where c.name = 'turns' for update;
  update turn_segments s
  set data = n.data, first_position = n.first_position, last_position = n.last_position,
      terms = array(select unnest(s.terms) union select unnest(n.asked) order by 1)
  from (
    select s.session_key, s.first_sequence,
           string_agg(substring(s.data from t.at + 1 for t.size)
             || case when t.traits & 32 = 0 then ''::bytea else int4send(coalesce(e.asked, 0)) end, ''::bytea order by t.at) as data,
           array_agg(coalesce(e.asked, 0)) filter (where t.traits & 32 > 0) as asked,
           coalesce(min(e.position), 0) as first_position, coalesce(max(e.position), 0) as last_position
    from turn_segments s cross join lateral turns_in(s.data) t
    left join lateral (
      select i.position, question_term(i.tenant_id, i.memory_id, question_words(i.type, i.data)) as asked
      from events i where i.session_key = s.session_key and i.sequence = t.sequence offset 0
    ) e on true
    group by s.session_key, s.first_sequence
  ) n
  where n.session_key = s.session_key and n.first_sequence = s.first_sequence;
end $$;
alter table turn_segments alter column first_position set not null, alter column last_position set not null;
-- A question that many ask is found in the first or last segments of the memory, any other by its term.
create index turn_segments_from_first on turn_segments (memory_id, first_position) where is_sealed;
create index turn_segments_from_last on turn_segments (memory_id, last_position) where is_sealed;

-- Bit 32 of the traits: the hash of the text of a user's turn is behind its terms.
create or replace function turns_in(data bytea)
returns table (at integer, size integer, place integer, sequence bigint, day integer, words integer, traits integer,
               language integer, speaker integer, terms integer, repeated integer)
language plpgsql immutable parallel safe as $$
begin
  at := 0;
  while at < length(data) loop
    terms := get_byte(data, at) << 8 | get_byte(data, at + 1);
    repeated := get_byte(data, at + 2) << 8 | get_byte(data, at + 3);
    place := ('x' || encode(substring(data from at + 5 for 4), 'hex'))::bit(32)::bigint;
    sequence := ('x' || encode(substring(data from at + 9 for 4), 'hex'))::bit(32)::bigint;
    day := ('x' || encode(substring(data from at + 13 for 4), 'hex'))::bit(32)::integer;
    words := get_byte(data, at + 16) << 8 | get_byte(data, at + 17);
    traits := get_byte(data, at + 18);
    language := get_byte(data, at + 19);
    speaker := get_byte(data, at + 20);
    size := 21 + 4 * (terms + repeated + (traits >> 5 & 1));
    return next;
    at := at + size;
  end loop;
end $$;

create or replace function terms_in(data bytea)
returns table (sequence bigint, term integer, count integer)
language sql immutable parallel safe as $$
  select t.sequence, ('x' || encode(substring(data from t.at + 22 + 4 * n for 4), 'hex'))::bit(32)::integer,
         coalesce((
           select get_byte(data, r.at + 2) << 8 | get_byte(data, r.at + 3)
           from generate_series(t.at + 21 + 4 * t.terms, t.at + 17 + 4 * (t.terms + t.repeated), 4) as r (at)
           where (get_byte(data, r.at) << 8 | get_byte(data, r.at + 1)) = n
         ), 1)
  from turns_in(data) t cross join lateral generate_series(0, t.terms - 1) as n
  union all
  select t.sequence, ('x' || encode(substring(data from t.at + t.size - 3 for 4), 'hex'))::bit(32)::integer, 1
  from turns_in(data) t where t.traits & 32 > 0;
$$;

-- The position of the answer to a question of a session: the directly following message, if it is the assistant's and
-- something of it was heard. Null: there is none, or a reset hides it.
create function answer_after(for_tenant uuid, key bigint, asked bigint) returns bigint
language plpgsql stable security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  answer events;
  heard text;
begin
  if tenant_allowed(for_tenant) is not true then
    return null;
  end if;
  select e.* into answer from events e
  -- Few events that are no messages are between them.
  where e.session_key = key and e.sequence > asked and e.sequence <= asked + 64
    and e.type = 'message.appended' and (e.expires_at is null or e.expires_at > now())
  order by e.sequence limit 1;
  if answer.tenant_id is distinct from for_tenant
    or lower(well_formed(answer.data) ->> 'role') not in ('assistant', 'ai')
    or coalesce(well_formed(answer.data) ->> 'content', '') = '' then
    return null;
  end if;
  -- The newest interruption that says what was heard does not say nothing.
  select x.of ->> 'heard' into heard
  from interruptions_of(for_tenant, array[key], array[answer.event_id], null) c
  cross join lateral json_array_elements(well_formed(c.interruptions)) with ordinality x (of, n)
  where x.of ->> 'heard' is not null order by x.n desc limit 1;
  if heard = '' or exists (
    select from events r
    where r.session_key = key and r.sequence > asked and r.type = 'history.reset' and well_formed(r.data) ->> 'agentId' is null
  ) then
    return null;
  end if;
  return answer.position;
end $$;

-- The position of the newest or oldest answer to a question, which may be beyond the index of turns. `exact`: the text as
-- JSON, if a hash cannot tell it from others.
create function find_answer(for_tenant uuid, of_memory uuid, of_actor text, of_session text, words text, exact text, oldest boolean)
returns bigint
language plpgsql stable security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off set max_parallel_workers_per_gather = 0 as $$
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
             case when oldest then t.first_position else -t.last_position end as edge
      from (
        select i.* from turn_segments i
        where is_small and key is null and i.memory_id = of_memory and i.actor_key = actor and term = any (i.terms)
        union all
        select i.* from turn_segments i where is_small and i.session_key = key and term = any (i.terms)
        union all
        select i.* from turn_segments i
        where not is_small and i.memory_id = of_memory and not i.is_sealed and term = any (i.terms)
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

drop trigger forget_questions on events;
drop function forget_questions, index_questions(integer), question_key(text, text);
drop table questions;
delete from question_cursor where name = 'questions';

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
    first_position, last_position, turns, words, first_day, last_day, speakers, languages, terms, data, is_sealed)
  select n.session_key, n.first_sequence, n.last_sequence, n.last_place, s.tenant_id, s.memory_id,
         hashtextextended(s.actor_id, turn_memory(s.tenant_id, s.memory_id)), n.first_position,
         n.last_position, n.turns, n.words, n.first_day, n.last_day, n.speakers, n.languages,
         n.terms::integer[], n.data, n.is_sealed
  from rows from (
    unnest(session_keys), unnest(first_sequences), unnest(terms), unnest(data),
    json_to_recordset(rows) as (
      last_sequence bigint, last_place integer, first_position bigint, last_position bigint, turns integer,
      words bigint, first_day integer, last_day integer, speakers text[], languages text[], is_sealed boolean
    )
  ) as n (session_key, first_sequence, terms, data, last_sequence, last_place, first_position, last_position, turns, words,
          first_day, last_day, speakers, languages, is_sealed)
  cross join lateral (select i.* from sessions i where i.session_key = n.session_key limit 1) s
  where n.data is not null
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
