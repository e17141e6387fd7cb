-- Up Migration

-- The index of turns is compared with the log, and taken in with fewer steps: the same function as in 0170, without lists
-- that every row is looked up in one by one, and with a plan that does not depend on how large the tables were when a
-- connection first used it. The previous release survives this: arguments and result are the same.
create or replace function index_turns(after_position bigint, upto_position bigint, turns json)
returns bigint language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set jit = off as $$
declare
  wanted constant bigint[] := array(select (t ->> 'position')::bigint from json_array_elements(turns) t);
  reached bigint;
  upto bigint;
begin
  select c.position into reached from question_cursor c where c.name = 'turns' for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  -- What is lost in a crash is taken in again: the cursor is lost with it.
  perform set_config('synchronous_commit', 'off', true);
  -- Held until the commit: a deletion that comes later finds the rows that are written here, and one that came earlier
  -- ends what is taken in this time right before it.
  with held as materialized (
    select e.position from unnest(wanted) as w (position) join events e on e.partition = 0 and e.position = w.position
    for key share of e skip locked
  ), first_missed as (
    select min(m.position) as position from (
      select e.position from unnest(wanted) as w (position) join events e on e.partition = 0 and e.position = w.position
      except select h.position from held h
    ) m
  )
  select least(upto_position, f.position - 1) into upto from first_missed f;

  perform from turn_sessions o
  where o.session_key in (
    select e.session_key from unnest(wanted) as w (position) join events e on e.partition = 0 and e.position = w.position
  ) order by o.session_key for update;
  with taken as materialized (
    select
      e.session_key, e.sequence, e.tenant_id, e.memory_id, m.memory, hashtextextended(s.actor_id, m.memory) as actor_key,
      coalesce(o.last_place, 0) + row_number() over (partition by e.session_key order by e.position) as place,
      t.day, t.traits, t.speaker, t.language, t.words, t.terms as stems, t.counts
    from json_to_recordset(turns) as t (
      position bigint, day integer, traits smallint, speaker text, language text, words integer, terms text[],
      counts smallint[]
    )
    join events e on e.partition = 0 and e.position = t.position
    join sessions s on s.session_key = e.session_key
    left join turn_sessions o on o.session_key = e.session_key
    cross join lateral (select turn_memory(e.tenant_id, e.memory_id) as memory) m
    where t.position <= upto
  ), of_sessions as (
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
  ), of_turns as (
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

-- A number for a word of a turn; together they stand for all of its words, whatever their order.
create function turn_posting(word bigint, count integer, words integer) returns bigint
language sql immutable parallel safe as $$
  select hashint8extended(word, coalesce(count::bigint << 16 | words, -1));
$$;

-- How what the index holds of the log after one position, up to and with another, differs from what it should hold.
-- `turns`: as those of index_turns. Events that are gone or may no longer be read count on neither side.
create function compare_turns(after_position bigint, upto_position bigint, turns json)
returns table (rows bigint, missing bigint, surplus bigint, changed bigint)
language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
begin
  return query
  with readable as materialized (
    select e.position, e.session_key, e.sequence, e.tenant_id, turn_memory(e.tenant_id, e.memory_id) as memory, s.actor_id
    from events e
    -- One lookup each: of a lateral `limit 1` nothing else can be made.
    cross join lateral (select i.actor_id from sessions i where i.session_key = e.session_key limit 1) s
    cross join lateral (select i.is_open from memory_gates i where i.memory_id = e.memory_id limit 1) g
    where g.is_open and e.partition = 0 and e.position > after_position and e.position <= upto_position
      and e.type = 'message.appended' and (e.expires_at is null or e.expires_at > now())
  ), expected as materialized (
    select r.position,
           row(r.tenant_id, a.actor_key, t.day, t.traits, t.speaker, t.language, t.words, (
             select bit_xor(turn_posting(hashtextextended(w.stem, r.memory), w.count, least(t.words, 32767)))
             from unnest(t.terms, t.counts) as w (stem, count)))::text as body
    from json_to_recordset(turns) as t (
      position bigint, day integer, traits smallint, speaker text, language text, words integer, terms text[],
      counts smallint[]
    )
    join readable r on r.position = t.position
    cross join lateral (select hashtextextended(r.actor_id, r.memory) as actor_key) a
  ), held as materialized (
    select r.position,
           row(t.tenant_id, o.actor_key, t.day, t.traits, t.speaker, t.language, t.words, (
             select bit_xor(turn_posting(x.term, w.count, w.words))
             from unnest(t.terms) as x (term)
             left join turn_words w on w.word = x.term and w.actor_key = o.actor_key
                                    and w.session_key = t.session_key and w.place = t.place))::text as body
    from readable r
    join turns t on t.session_key = r.session_key and t.sequence = r.sequence
    left join turn_sessions o on o.session_key = t.session_key
  )
  select count(e.position), count(*) filter (where h.position is null), count(*) filter (where e.position is null),
         count(*) filter (where e.body <> h.body)
  from expected e full join held h using (position);
end $$;

-- What of the index contradicts itself or the log's keys, which a comparison turn by turn does not show: turns without an
-- event or in another order, words of no turn, and sessions that are not what their turns make of them.
create function count_turn_faults() returns bigint language sql stable
set jit = off as $$
  with placed as (
    select t.session_key, t.sequence, lag(t.sequence) over (partition by t.session_key order by t.place) as before
    from turns t
  ), wrong_turns as (
    select count(*) as n from placed p
    left join events e on e.session_key = p.session_key and e.sequence = p.sequence
    where e.position is null or p.sequence <= p.before
  ), of_sessions as (
    select t.session_key, count(*) as turns, sum(t.words) as words, min(t.day) as first_day, max(t.day) as last_day,
           coalesce(array_agg(distinct t.speaker) filter (where t.speaker is not null), '{}') as speakers,
           array_agg(distinct t.language) as languages, max(t.place) as last_place
    from turns t group by t.session_key
  ), wrong_sessions as (
    select count(*) as n from turn_sessions o full join of_sessions n using (session_key)
    left join sessions s on s.session_key = o.session_key
    where (o.turns, o.words, o.first_day, o.last_day, o.speakers, o.languages)
          is distinct from (n.turns::integer, n.words, n.first_day, n.last_day, n.speakers, n.languages)
       or o.last_place < n.last_place
       or s.memory_id <> o.memory_id or s.tenant_id <> o.tenant_id
  ), surplus_words as (
    select greatest((select count(*) from turn_words) - (select coalesce(sum(cardinality(terms)), 0) from turns), 0) as n
  )
  select t.n + s.n + w.n from wrong_turns t, wrong_sessions s, surplus_words w;
$$;
