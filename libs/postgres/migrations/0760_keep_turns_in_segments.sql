-- Up Migration

-- The index of turns had one row per word and turn. It now has one per stretch of a session: `data` holds its turns one after
-- the other (libs/postgres/src/search/turns/turn-segment.ts), with a 32-bit hash of each word.
create table turn_segments (
  session_key bigint not null,
  first_sequence bigint not null,
  -- At least as large as those of the turns: the last ones may have been erased.
  last_sequence bigint not null,
  last_place integer not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_key bigint not null,
  turns integer not null,
  words bigint not null,
  first_day integer not null,
  last_day integer not null,
  -- Turns name them by number. '': of no turn any more.
  speakers text[] not null,
  -- Of the session up to here.
  languages text[] not null,
  -- Hashes of all words of the turns, ascending.
  terms integer[] not null,
  data bytea not null,
  -- Nothing is added for now: it is full, or the session is quiet. Others have no entries in the index of terms.
  is_sealed boolean not null,
  changed_at timestamptz not null default now(),
  primary key (session_key, first_sequence)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05);
-- Hashes do not compress.
alter table turn_segments alter data set storage external, alter terms set storage external;

-- The turns in the data of a segment.
create function turns_in(data bytea)
returns table (at integer, size integer, place integer, sequence bigint, day integer, words integer, traits integer,
               language integer, speaker integer, terms integer, repeated integer)
language plpgsql immutable parallel safe as $$
begin
  at := 0;
  while at < length(data) loop
    terms := get_byte(data, at) << 8 | get_byte(data, at + 1);
    repeated := get_byte(data, at + 2) << 8 | get_byte(data, at + 3);
    size := 21 + 4 * (terms + repeated);
    place := ('x' || encode(substring(data from at + 5 for 4), 'hex'))::bit(32)::bigint;
    sequence := ('x' || encode(substring(data from at + 9 for 4), 'hex'))::bit(32)::bigint;
    day := ('x' || encode(substring(data from at + 13 for 4), 'hex'))::bit(32)::integer;
    words := get_byte(data, at + 16) << 8 | get_byte(data, at + 17);
    traits := get_byte(data, at + 18);
    language := get_byte(data, at + 19);
    speaker := get_byte(data, at + 20);
    return next;
    at := at + size;
  end loop;
end $$;

-- Terms of the turns in the data of a segment; `count` of a turn's term is how often it has it.
create function terms_in(data bytea)
returns table (sequence bigint, term integer, count integer)
language sql immutable parallel safe as $$
  select t.sequence, ('x' || encode(substring(data from t.at + 22 + 4 * n for 4), 'hex'))::bit(32)::integer,
         coalesce((
           select get_byte(data, r.at + 2) << 8 | get_byte(data, r.at + 3)
           from generate_series(t.at + 21 + 4 * t.terms, t.at + t.size - 4, 4) as r (at)
           where (get_byte(data, r.at) << 8 | get_byte(data, r.at + 1)) = n
         ), 1)
  from turns_in(data) t cross join lateral generate_series(0, t.terms - 1) as n;
$$;

-- The turns of the earlier index, whose hashes have 64 bits. No process adds to it meanwhile.
do $$
begin
  perform from question_cursor c where c.name in ('turns', 'heard_turns') order by c.name for update;
  -- Some of them have words that were not heard: all are indexed again.
  if exists (
    select from question_cursor h join question_cursor t on t.name = 'turns'
    join events e on e.partition = 0 and e.position > h.position and e.position <= t.position
    where h.name = 'heard_turns' and e.type = 'message.interrupted'
  ) then
    update question_cursor set position = 0 where name = 'turns';
    return;
  end if;
  insert into turn_segments (session_key, first_sequence, last_sequence, last_place, tenant_id, memory_id, actor_key, turns,
    words, first_day, last_day, speakers, languages, terms, data, is_sealed)
  with numbered as materialized (
    select t.*, (row_number() over (partition by t.session_key order by t.place) - 1) / 64 as segment from turns t
  ), named as materialized (
    select n.session_key, n.segment, coalesce(array_agg(distinct n.speaker) filter (where n.speaker is not null), '{}') as speakers
    from numbered n group by n.session_key, n.segment
  ), hashed as materialized (
    select n.session_key, n.segment, n.place, x.term & 4294967295 as term,
           least(sum(coalesce(n.counts[x.i], (
             select w.count from turn_words w
             where w.word = x.term and w.actor_key = o.actor_key and w.session_key = n.session_key and w.place = n.place
           ), 1)), 65535)::integer as count,
           row_number() over (partition by n.session_key, n.place order by x.term & 4294967295) - 1 as n
    from numbered n join turn_sessions o using (session_key) cross join lateral unnest(n.terms) with ordinality as x (term, i)
    group by n.session_key, n.segment, n.place, x.term & 4294967295
  ), listed as materialized (
    select h.session_key, h.place, count(*) as terms, count(*) filter (where h.count > 1) as repeated,
           string_agg(int4send(h.term::bit(32)::integer), ''::bytea order by h.n)
             || coalesce(string_agg(int2send(h.n::smallint) || substring(int4send(h.count) from 3), ''::bytea order by h.n)
                           filter (where h.count > 1), '') as data
    from hashed h group by h.session_key, h.place
  ), held as materialized (
    select h.session_key, h.segment, array_agg(distinct h.term::bit(32)::integer order by h.term::bit(32)::integer) as terms
    from hashed h group by h.session_key, h.segment
  ), stretches as materialized (
    select n.session_key, n.segment, min(n.sequence) as first_sequence, max(n.sequence) as last_sequence,
           max(n.place) as last_place, count(*) as turns, sum(n.words) as words, min(n.day) as first_day,
           max(n.day) as last_day,
           string_agg(
             int2send(coalesce(l.terms, 0)::smallint) || int2send(coalesce(l.repeated, 0)::smallint) || int4send(n.place)
             || int4send(n.sequence::bit(32)::integer) || int4send(n.day) || substring(int4send(least(n.words, 65535)) from 3)
             || set_byte('\x00', 0, n.traits)
             || set_byte('\x00', 0, coalesce(array_position(
                  array['en', 'vi', 'zh', 'ja', 'th', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'ru', 'xx'], n.language), 13) - 1)
             || set_byte('\x00', 0, coalesce(array_position(a.speakers, n.speaker), 0))
             || coalesce(l.data, ''), ''::bytea order by n.place) as data
    from numbered n join named a using (session_key, segment)
    left join listed l on l.session_key = n.session_key and l.place = n.place
    group by n.session_key, n.segment
  )
  select t.session_key, t.first_sequence, t.last_sequence,
         case when t.segment = max(t.segment) over (partition by t.session_key) then o.last_place else t.last_place end,
         o.tenant_id, o.memory_id, o.actor_key, t.turns, t.words, t.first_day, t.last_day, a.speakers,
         o.languages, coalesce(h.terms, '{}'), t.data, true
  from stretches t join named a using (session_key, segment) join turn_sessions o using (session_key)
  left join held h on h.session_key = t.session_key and h.segment = t.segment;
end $$;

create index turn_segments_of_actor on turn_segments (memory_id, actor_key);
create index turn_segments_by_term on turn_segments using gin (terms) where is_sealed;
create index turn_segments_unsealed on turn_segments (memory_id) where not is_sealed;

drop function
  index_heard_turns(bigint, bigint, json, json, bigint[]), index_turns(bigint, bigint, json), pass_heard_turns(bigint, bigint),
  compare_turns(bigint, bigint, json), count_turn_faults(), turn_posting(bigint, integer, integer), all_turn_traits,
  check_held_turns, list_held_turns, check_held_records, list_held_records, forget_search_changes,
  list_turn_traits, list_turn_words, find_turn_words, hash_turns();
drop table turn_words, turns, turn_sessions;
delete from question_cursor where name = 'heard_turns';

-- Stores segments, and the position that the index reaches with them.
--
-- `taken`: the positions of their messages beyond the index. They are locked until the commit, so that a later deletion finds
-- what is written here. `blocked`, and nothing is stored: the first of them that is being deleted, or is gone.
-- `segments`: `version`, null for a new one, is that of the row that was read; `data` null: nothing of it is left.
create function store_turn_segments(after_position bigint, upto_position bigint, taken bigint[], segments json)
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
  select array_agg(h.position) into held from (
    select e.position from events e
    where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (taken)
    order by e.position for key share skip locked
  ) h;
  if coalesce(cardinality(held), 0) < cardinality(taken) then
    select min(t) into blocked from unnest(taken) t where t <> all (coalesce(held, '{}'));
    return next;
    return;
  end if;

  -- A deletion that changed one of the rows since it was read comes first.
  if exists (
    with stored as materialized (
      select o.session_key, o.first_sequence, o.xmin::text as version
      from json_to_recordset(segments) as n (session_key bigint, first_sequence bigint)
      cross join lateral (
        select i.*, i.xmin from turn_segments i
        where i.session_key = n.session_key and i.first_sequence = n.first_sequence for update
      ) o
    )
    select from json_to_recordset(segments) as n (session_key bigint, first_sequence bigint, version text)
    left join stored o on o.session_key = n.session_key and o.first_sequence = n.first_sequence
    where o.version is distinct from n.version
  ) then
    reached := null;
    return next;
    return;
  end if;
  delete from turn_segments t using json_to_recordset(segments) as n (session_key bigint, first_sequence bigint, data text)
  where n.data is null and t.session_key = n.session_key and t.first_sequence = n.first_sequence;
  insert into turn_segments as t (session_key, first_sequence, last_sequence, last_place, tenant_id, memory_id, actor_key,
    turns, words, first_day, last_day, speakers, languages, terms, data, is_sealed)
  select n.session_key, n.first_sequence, n.last_sequence, n.last_place, s.tenant_id, s.memory_id,
         hashtextextended(s.actor_id, turn_memory(s.tenant_id, s.memory_id)), n.turns, n.words, n.first_day, n.last_day,
         n.speakers, n.languages, n.terms, decode(n.data, 'base64'), n.is_sealed
  from json_to_recordset(segments) as n (
    session_key bigint, first_sequence bigint, last_sequence bigint, last_place integer, turns integer, words bigint,
    first_day integer, last_day integer, speakers text[], languages text[], terms integer[], data text, is_sealed boolean
  )
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

-- Seals the segments of sessions that have been quiet.
create function seal_turn_segments(quiet interval, most integer) returns bigint
language sql security definer set search_path from current as $$
  with quiet as (
    select t.session_key, t.first_sequence from turn_segments t
    where not t.is_sealed and t.changed_at < now() - quiet limit most for update skip locked
  ), sealed as (
    update turn_segments t set is_sealed = true from quiet q
    where t.session_key = q.session_key and t.first_sequence = q.first_sequence returning 1
  )
  select count(*) from sealed;
$$;

-- Takes deleted turns out of their segments.
create or replace function forget_turns() returns trigger language plpgsql security definer set search_path from current as $$
declare
  n record;
  held turn_segments;
begin
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

create or replace function drop_turns() returns void
language plpgsql security definer set search_path from current as $$
begin
  perform from question_cursor c where c.name = 'turns' for update;
  truncate turn_segments;
  update question_cursor set position = 0 where name = 'turns';
end $$;

create function hash_turns() returns table (rows bigint, hash text)
language sql stable security definer set search_path from current as $$
  select count(*), md5(coalesce(string_agg(t.line, E'\n' order by t.session_key, t.sequence), ''))
  from (
    select s.session_key, t.sequence,
           concat_ws('|', s.session_key::text, t.sequence, t.day, t.traits, s.speakers[nullif(t.speaker, 0)], t.language,
                     t.words, s.actor_key, (
                       select string_agg(concat(w.term, ':', w.count), ',' order by w.term) from terms_in(s.data) w
                       where w.sequence = t.sequence)) as line
    from turn_segments s cross join lateral turns_in(s.data) t
    join events e on e.session_key = s.session_key and e.sequence = t.sequence
    -- Expired turns are purged soon, and a new index does not contain them.
    where e.expires_at is null or e.expires_at > now()
  ) t;
$$;

-- Which segments of a scope that is too large to be read whole to read for a question.
--
-- The rarest words decide: a segment weighs as much as those that it has, and the first `best` are read, with the segments
-- beside them. One row per word without a session: in how many segments and sessions it is. Other rows: the segments.
create function find_turn_segments(for_tenant uuid, of_memory uuid, of_actor text, of_session bigint, words integer[],
                                   scope_turns double precision, best integer, first_days integer[], last_days integer[])
returns table (word integer, segments integer, sessions integer, session_key double precision, speakers text[], data bytea)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0 set plan_cache_mode = force_generic_plan as $$
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
    from turn_segments t join word w on w.word = any (t.terms)
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

create or replace function turn_scope(for_tenant uuid, of_memory uuid, of_actor text, of_session text, most_sessions integer)
returns table (
  indexed double precision, head double precision, asked double precision, sessions double precision,
  turns double precision, words double precision, first_day integer, last_day integer, speakers text[], languages text[],
  session_key double precision
)
language plpgsql stable set search_path from current
set jit = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with reached as materialized (
    select c.position::float8 as indexed, newest_position()::float8 as head from question_cursor c where c.name = 'turns'
  ), asked as materialized (
    select s.session_key from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and of_actor is not null and s.actor_id = of_actor
      and (of_session is null or s.session_id = of_session)
      -- `TAIL` in turn-search.sql.ts
      and (of_session is not null or (select r.head - r.indexed > 2000 from reached r))
    limit most_sessions
  ), scoped as (
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from asked a
    -- A lateral subquery with `offset` is a lookup per session; a join may read the rows of all tenants.
    cross join lateral (select i.* from turn_segments i where i.session_key = a.session_key offset 0) t
    where of_session is not null and t.tenant_id = for_tenant
    union all
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from turn_segments t
    where of_actor is not null and of_session is null and t.memory_id = of_memory and t.tenant_id = for_tenant
      and t.actor_key = hashtextextended(of_actor, turn_memory(for_tenant, of_memory))
    union all
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from turn_segments t
    where of_actor is null and t.memory_id = of_memory and t.tenant_id = for_tenant
  ), alike as materialized (
    -- Most segments have the same speakers and languages.
    select s.speakers, s.languages, count(*) as n, sum(s.turns) as turns, sum(s.words) as words,
           min(s.first_day) as first_day, max(s.last_day) as last_day
    from scoped s group by s.speakers, s.languages
  ), counted as (
    select coalesce(sum(a.n), 0) as n, coalesce(sum(a.turns), 0) as turns, coalesce(sum(a.words), 0) as words,
      min(a.first_day) as first_day, max(a.last_day) as last_day
    from alike a
  )
  select r.indexed, r.head, (select count(*) from asked)::float8,
    (select count(distinct s.session_key) from scoped s)::float8, c.turns::float8, c.words::float8,
    c.first_day, c.last_day,
    array(select distinct x from alike a, unnest(a.speakers) x where x <> '' order by x limit 100),
    -- A turn in another language now and then does not have every question read in that language as well.
    array(select x from alike a, unnest(a.languages) x group by x having 10 * sum(a.n) >= c.n
          order by sum(a.n) desc, x limit 3),
    case when of_session is not null then (select a.session_key from asked a)::float8 end
  from reached r cross join counted c;
end $$;
