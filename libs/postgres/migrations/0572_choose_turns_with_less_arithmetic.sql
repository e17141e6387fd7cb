-- Up Migration

-- Choosing turns among very many spent most of its time on arithmetic in `numeric` and on groups by three columns.
create or replace function find_turn_words(
  for_tenant uuid, of_memory uuid, of_actor text, of_session bigint, stems text[], best integer, scope_turns float8,
  average_words float8, reach integer
)
returns table (stem integer, turns integer, sessions integer, session_key bigint, total integer, session_words bigint,
               places text)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  memory constant bigint := turn_memory(for_tenant, of_memory);
  actor constant bigint := hashtextextended(of_actor, memory);
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  if best is null then
    return query
    with word as (
      select w.n::integer as n, hashtextextended(w.stem, memory) as word from unnest(stems) with ordinality w (stem, n)
    ), p as (
      select w.n, p.session_key, p.place, p.count, p.words
      from word w join turn_words p on p.word = w.word where of_actor is null
      union all
      select w.n, p.session_key, p.place, p.count, p.words
      from word w join turn_words p on p.word = w.word and p.actor_key = actor
      where of_actor is not null and of_session is null
      union all
      select w.n, p.session_key, p.place, p.count, p.words
      from word w join turn_words p on p.word = w.word and p.actor_key = actor and p.session_key = of_session
      where of_session is not null
    ), of_sessions as (
      select p.n, p.session_key, count(*) as turns, sum(p.count) as total,
             string_agg(concat_ws(' ', p.place, p.count, p.words), ' ') as places
      from p group by p.n, p.session_key
    )
    select o.n, (sum(o.turns) over of_stem)::integer, (count(*) over of_stem)::integer, o.session_key,
           o.total::integer, s.words, o.places
    from of_sessions o join turn_sessions s on s.session_key = o.session_key and s.tenant_id = for_tenant
    window of_stem as (partition by o.n);
    return;
  end if;
  return query
  with word as (
    select w.n::integer as n, hashtextextended(w.stem, memory) as word from unnest(stems) with ordinality w (stem, n)
  ), counted as materialized (
    -- In the order of the index: a common word has many places, which are only counted.
    select w.n, w.word, c.turns, c.sessions
    from word w cross join lateral (
      select count(*) as turns, count(distinct p.session_key) as sessions from turn_words p
      where of_actor is null and p.word = w.word having of_actor is null
      union all
      select count(*), count(distinct p.session_key) from turn_words p
      where of_session is null and p.word = w.word and p.actor_key = actor having of_actor is not null and of_session is null
      union all
      select count(*), count(distinct p.session_key) from turn_words p
      where p.word = w.word and p.actor_key = actor and p.session_key = of_session having of_session is not null
    ) c
  ), rarest as materialized (
    -- The rarest words, until they have 10,000 places together: a common word would find nothing more.
    select r.word, r.weight from (
      select c.word, ln(1 + (scope_turns - c.turns + 0.5) / (c.turns + 0.5)) as weight,
             sum(c.turns) over (order by c.turns, c.n) - c.turns as before
      from counted c
    ) r where r.before < 10000
  ), p as (
    select r.weight, p.session_key, p.place, p.count, p.words
    from rarest r join turn_words p on p.word = r.word where of_actor is null
    union all
    select r.weight, p.session_key, p.place, p.count, p.words
    from rarest r join turn_words p on p.word = r.word and p.actor_key = actor
    where of_actor is not null and of_session is null
    union all
    select r.weight, p.session_key, p.place, p.count, p.words
    from rarest r join turn_words p on p.word = r.word and p.actor_key = actor and p.session_key = of_session
    where of_session is not null
  ), chosen as (
    -- One key instead of two, and no `numeric`: both took as long as reading the places. 24 bits of place, 39 of session.
    select (p.session_key << 24) + p.place as turn
    from p
    group by (p.session_key << 24) + p.place
    order by sum(p.weight * p.count / (p.count + 0.9::float8 * (0.6::float8 + 0.4::float8 * p.words / average_words))) desc,
             (p.session_key << 24) + p.place
    limit best
  ), near as materialized (
    select c.turn >> 24 as session_key,
           range_agg(int4range((c.turn & 16777215)::integer - reach, (c.turn & 16777215)::integer + reach, '[]')) as places
    from chosen c group by c.turn >> 24
  )
  select w.n, w.turns::integer, w.sessions::integer, h.session_key, l.total::integer, s.words, l.places
  from near h
  cross join lateral (select i.* from turn_sessions i where i.session_key = h.session_key limit 1) s
  cross join counted w
  cross join lateral (
    select sum(p.count) as total,
           string_agg(concat_ws(' ', p.place, p.count, p.words), ' ') filter (where p.place <@ h.places) as places
    from turn_words p where p.word = w.word and p.actor_key = s.actor_key and p.session_key = h.session_key
  ) l
  where s.tenant_id = for_tenant and l.places is not null;
end $$;
