-- Up Migration

-- A search spent most of its time planning: each call was planned again for its own parameters, to nearly the same plan.
alter function find_turn_words(uuid, uuid, text, bigint, text[], integer, float8, float8, integer)
  set plan_cache_mode = force_generic_plan;
alter function find_records(uuid, uuid, text, text, text, boolean, bigint[], bigint[], float8[], float8, integer)
  set plan_cache_mode = force_generic_plan;

-- Contents of a memory, an actor or a session, and how far its turns are indexed. `asked` counts the actor's sessions up
-- to `most_sessions`; `session_key` is that of the given session.
create function turn_scope(for_tenant uuid, of_memory uuid, of_actor text, of_session text, most_sessions integer)
returns table (indexed float8, head float8, asked float8, sessions float8, turns float8, words float8, first_day integer,
               last_day integer, speakers text[], languages text[], session_key float8)
language plpgsql stable set search_path from current
set jit = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with reached as (
    select c.position::float8 as indexed, coalesce((
      select e.position from events e where e.partition = 0 order by e.position desc limit 1), 0)::float8 as head
    from question_cursor c where c.name = 'turns'
  ), asked as materialized (
    select s.session_key from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and of_actor is not null and s.actor_id = of_actor
      and (of_session is null or s.session_id = of_session)
    limit most_sessions
  ), scoped as materialized (
    select t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from asked a
    -- A lateral `limit 1` is always one lookup; a join may read the rows of all tenants.
    cross join lateral (select i.* from turn_sessions i where i.session_key = a.session_key limit 1) t
    where of_session is not null and t.tenant_id = for_tenant
    union all
    select t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from turn_sessions t
    where of_actor is not null and of_session is null and t.memory_id = of_memory and t.tenant_id = for_tenant
      and t.actor_key = hashtextextended(of_actor, turn_memory(for_tenant, of_memory))
    union all
    select t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from turn_sessions t
    where of_actor is null and t.memory_id = of_memory and t.tenant_id = for_tenant
  ), counted as (
    select count(*) as n, coalesce(sum(s.turns), 0) as turns, coalesce(sum(s.words), 0) as words,
      min(s.first_day) as first_day, max(s.last_day) as last_day
    from scoped s
  )
  select r.indexed, r.head, (select count(*) from asked)::float8, c.n::float8, c.turns::float8, c.words::float8,
    c.first_day, c.last_day,
    -- Most sessions have the same speakers and languages.
    array(select distinct x from (select distinct s.speakers from scoped s) d, unnest(d.speakers) x order by x limit 100),
    -- A turn in another language now and then does not have every question read in that language as well.
    array(select x from (select s.languages, count(*) as n from scoped s group by s.languages) d, unnest(d.languages) x
          group by x having 10 * sum(d.n) >= c.n order by sum(d.n) desc, x limit 3),
    case when of_session is not null then (select a.session_key from asked a)::float8 end
  from reached r cross join counted c;
end $$;
