-- Up Migration

-- With row-level security, a tenant's connection reads the log backwards to that tenant's newest event: in a log of a
-- million newer events of other tenants, this took 0.4 s for each search. The owner of the table finds the newest event
-- of all at once.
create function newest_position() returns bigint
language sql stable security definer set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
begin atomic
  select coalesce((select e.position from events e where e.partition = 0 order by e.position desc limit 1), 0);
end;

create or replace function turn_scope(
  for_tenant uuid, of_memory uuid, of_actor text, of_session text, most_sessions integer
)
returns table (
  indexed float8, head float8, asked float8, sessions float8, turns float8, words float8, first_day integer,
  last_day integer, speakers text[], languages text[], session_key float8
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
  ), alike as materialized (
    -- Most sessions have the same speakers and languages.
    select s.speakers, s.languages, count(*) as n, sum(s.turns) as turns, sum(s.words) as words,
           min(s.first_day) as first_day, max(s.last_day) as last_day
    from scoped s group by s.speakers, s.languages
  ), counted as (
    select coalesce(sum(a.n), 0) as n, coalesce(sum(a.turns), 0) as turns, coalesce(sum(a.words), 0) as words,
      min(a.first_day) as first_day, max(a.last_day) as last_day
    from alike a
  )
  select r.indexed, r.head, (select count(*) from asked)::float8, c.n::float8, c.turns::float8, c.words::float8,
    c.first_day, c.last_day,
    array(select distinct x from alike a, unnest(a.speakers) x order by x limit 100),
    -- A turn in another language now and then does not have every question read in that language as well.
    array(select x from alike a, unnest(a.languages) x group by x having 10 * sum(a.n) >= c.n
          order by sum(a.n) desc, x limit 3),
    case when of_session is not null then (select a.session_key from asked a)::float8 end
  from reached r cross join counted c;
end $$;
