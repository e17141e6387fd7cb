-- Up Migration

-- A record is read once for each word instead of each of its forms, and its sources are looked for only if no turn cites
-- it. Up to 4,000 records divided by the number of words are read for each word (6,000 for each form before). The size of
-- a namespace is estimated from its newest 200 records unless a word has more records than are read (always 500 before).
create or replace function find_records(
  for_tenant uuid, of_memory uuid, in_namespace text, query text, subjects text, superseded_too boolean,
  session_keys bigint[], sequences bigint[], scores float8[], own_weight float8, most integer
)
returns table (record_id uuid, own float8, matched integer, words integer, usual_words float8, known integer,
               cited float8, turns text[], has_sources boolean, created_at timestamptz)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  named constant bigint[] := record_terms(of_memory, in_namespace, subjects);
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  with asked as materialized (
    select q.word, array_agg(q.term) as terms, max(q.term) filter (where q.factor = 1) as exact,
           bool_or(q.term = any (named)) as is_subject
    from record_query(of_memory, in_namespace, query) q group by q.word
  ), searched as materialized (
    select a.word, a.terms, a.exact, 4000 / (select count(*) from asked) as most from asked a
    where not a.is_subject or (select bool_and(b.is_subject) from asked b)
  ), held as materialized (
    select s.word, r.record_id, case when s.exact = any (r.terms) then 1.0::float8 else 0.8 end as factor, r.terms,
           cardinality(r.terms) as words, r.created_at
    from searched s
    cross join lateral (
      select r.record_id, r.terms, r.created_at
      -- With `offset 0`, only by the index of terms: among many small memories, the planner would read all records of
      -- this one for each word.
      from (select i.* from records i where i.terms && s.terms offset 0) r
      where r.tenant_id = for_tenant and r.memory_id = of_memory
        and r.namespace = in_namespace and (superseded_too or r.superseded_by is null)
      limit s.most
    ) r
  ), common as materialized (
    -- Not all of their records were read.
    select s.word, s.terms, s.exact
    from searched s join (select h.word, count(*) as n from held h group by h.word) c on c.word = s.word and c.n = s.most
  ), newest as materialized (
    select r.record_id, r.terms, cardinality(r.terms) as words, r.created_at,
           superseded_too or r.superseded_by is null as is_wanted
    from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
    -- In the order of the index, so that no more are read.
    order by r.created_at desc, r.record_id limit (select case when exists (select from common) then 500 else 200 end)
  ), matches as materialized (
    select h.record_id, h.word, h.factor, h.words, h.created_at from held h
    union all
    select distinct m.record_id, c.word, case when c.exact = any (m.terms) then 1.0::float8 else 0.8 end, m.words, m.created_at
    from common c
    join (
      select n.record_id, n.terms, n.words, n.created_at from newest n where n.is_wanted
      union all
      select h.record_id, h.terms, h.words, h.created_at from held h where h.word not in (select o.word from common o)
    ) m on m.terms && c.terms
    where (c.word, m.record_id) not in (select h.word, h.record_id from held h where h.word in (select o.word from common o))
  ), size as (
    select count(*)::float8 as newest, case when exists (select from common) then 500 else 200 end as most,
           coalesce(avg(n.words), 8)::float8 as usual_words
    from newest n
  ), since as materialized (
    select n.created_at, n.record_id from newest n order by n.created_at, n.record_id desc limit 1
  ), counted as (
    select a.word, a.is_subject, a.word in (select c.word from common c) as is_common,
           coalesce(m.records, 0) as records, coalesce(m.among_newest, 0) as among_newest
    from asked a
    left join (
      select m.word, count(*)::float8 as records,
             (count(*) filter (where m.created_at > s.created_at or m.created_at = s.created_at and m.record_id <= s.record_id)
             )::float8 as among_newest
      from matches m cross join since s group by m.word
    ) m on m.word = a.word
  ), total as (
    -- Counting all records would take longer than the search. The share of hits among the newest ones tells how many there
    -- are; with common words, of which not all hits are known, how many there are at least.
    select s.newest, s.most,
      case when s.newest < s.most then s.newest
           else greatest(s.newest, s.newest * (c.counted + 1) / (c.newest_counted + 1),
                         s.newest * (c.known + 1) / (c.newest_known + 1))
      end as n
    from size s
    cross join (
      select coalesce(sum(c.records) filter (where not c.is_common), 0) as counted,
             coalesce(sum(c.among_newest) filter (where not c.is_common), 0) as newest_counted,
             coalesce(sum(c.records), 0) as known, coalesce(sum(c.among_newest), 0) as newest_known
      from counted c
    ) c
  ), frequent as (
    select c.word, c.is_subject, t.n, t.newest, t.most,
           case when c.is_common then greatest(c.records, t.n * c.among_newest / t.newest) else c.records end as records
    from counted c cross join total t
  ), oldest as materialized (
    -- The number of records is estimated from the newest ones. A word of nearly all of these may be new to the namespace.
    select r.terms from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
      and exists (select from frequent f where not f.is_subject and f.newest >= f.most and f.records >= 0.9 * f.n)
    order by r.created_at, r.record_id desc limit 500
  ), rated as (
    -- As if the namespace had fifty more records: in a namespace of three, every word would be equally rare.
    select f.word, f.records,
           ln(1 + (50 + greatest(f.n, f.records) - f.records + 0.5) / (f.records + 0.5)) as weight,
           f.is_subject or (
             f.n >= 3 and f.records >= 0.9 * f.n and (
               f.newest < f.most or 0.9 * (select count(*) from oldest) <= (
                 select count(*) from oldest o join asked a on a.terms && o.terms where a.word = f.word
               )
             )
           ) as of_subject
    from frequent f
  ), weights as materialized (
    select r.word, r.records,
      case
        when r.of_subject and not (select bool_and(a.of_subject) from rated a) then 0
        else least(r.weight, (select max(a.weight) from rated a where a.records > 0 and not a.of_subject), 1e9)
      end as weight
    from rated r
  ), by_words as (
    select m.record_id, m.words, m.created_at,
           sum(w.weight * m.factor) / (select greatest(sum(a.weight), 1e-9) from weights a) as own,
           count(*) filter (where w.weight > 0)::integer as matched
    from matches m join weights w on w.word = m.word
    group by m.record_id, m.words, m.created_at having sum(w.weight) > 0
  ), by_turns as (
    select t.record_id, t.cited, t.turns, cardinality(r.terms) as words, r.created_at
    from (
      select s.record_id, max(t.score) as cited, array_agg(s.session_key || ' ' || s.sequence) as turns
      from unnest(session_keys, sequences, scores) as t (session_key, sequence, score)
      join record_sources s on s.session_key = t.session_key and s.sequence = t.sequence and s.tenant_id = for_tenant
      group by s.record_id
    ) t
    cross join lateral (select i.* from records i where i.record_id = t.record_id limit 1) r
    where r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
      and (superseded_too or r.superseded_by is null)
  ), found as (
    select record_id, coalesce(w.own, 0)::float8 as own, coalesce(w.matched, 0) as matched,
           coalesce(w.words, t.words) as words, coalesce(t.cited, 0)::float8 as cited, t.turns,
           coalesce(w.created_at, t.created_at) as created_at
    from by_words w full join by_turns t using (record_id)
    order by coalesce(t.cited, 0) + own_weight * coalesce(w.own, 0) desc, coalesce(w.created_at, t.created_at) desc, record_id
    limit most
  )
  select f.record_id, f.own, f.matched, f.words, (select s.usual_words from size s),
         (select count(*) from weights a where a.records > 0 and a.weight > 0)::integer,
         f.cited, f.turns,
         f.turns is not null or exists (select from record_sources s where s.record_id = f.record_id), f.created_at
  from found f;
end $$;

-- Reads the indexed sessions of a scope once instead of three times. `asked` is 0 unless the index is so far behind that
-- the caller chooses between reading these sessions and the tail of the log, or a session is given.
create or replace function turn_scope(for_tenant uuid, of_memory uuid, of_actor text, of_session text, most_sessions integer)
returns table (indexed float8, head float8, asked float8, sessions float8, turns float8, words float8, first_day integer,
               last_day integer, speakers text[], languages text[], session_key float8)
language plpgsql stable set search_path from current
set jit = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with reached as materialized (
    select c.position::float8 as indexed, coalesce((
      select e.position from events e where e.partition = 0 order by e.position desc limit 1), 0)::float8 as head
    from question_cursor c where c.name = 'turns'
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
