-- Up Migration

-- Of a word of very many records, only the first ones in the table were read, which are usually the oldest: newer records
-- that share nothing but such words with a query were missed, a record found by a rare word was not credited with them,
-- and the size of the namespace was overestimated. Now the namespace's newest records and those found by other words are
-- checked for such a word too, and its frequency is that among the newest. Fewer records per word are read in return.
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
    select q.word, q.term, q.factor, bool_or(q.term = any (named)) over (partition by q.word) as is_subject
    from record_query(of_memory, in_namespace, query) q
  ), searched as materialized (
    select a.word, a.term, a.factor, 6000 / (select count(distinct b.word) from asked b) as most from asked a
    where not a.is_subject or (select bool_and(b.is_subject) from asked b)
  ), newest as materialized (
    select r.record_id, r.terms, cardinality(r.terms) as words, r.created_at,
           superseded_too or r.superseded_by is null as is_wanted
    from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
    -- In the order of the index, so that no more are read.
    order by r.created_at desc, r.record_id limit 500
  ), held as materialized (
    select s.word, s.term, s.factor, r.record_id, r.terms, r.words, r.created_at, r.n = s.most as is_last
    from searched s
    cross join lateral (
      select r.record_id, r.terms, cardinality(r.terms) as words, r.created_at, row_number() over () as n from records r
      where r.terms @> array[s.term] and r.tenant_id = for_tenant and r.memory_id = of_memory
        and r.namespace = in_namespace and (superseded_too or r.superseded_by is null)
      limit s.most
    ) r
  ), common as materialized (
    select h.word, h.term, h.factor from held h where h.is_last
  ), matches as materialized (
    select m.record_id, m.word, max(m.factor) as factor, m.words, m.created_at
    from (
      select h.record_id, h.word, h.factor, h.words, h.created_at from held h
      union all
      select n.record_id, c.word, c.factor, n.words, n.created_at
      from common c join newest n on n.is_wanted and c.term = any (n.terms)
      union all
      select h.record_id, c.word, c.factor, h.words, h.created_at
      from common c join held h on h.term not in (select o.term from common o) and c.term = any (h.terms)
    ) m
    group by m.record_id, m.word, m.words, m.created_at
  ), counted as (
    select a.word, a.is_subject, exists (select from common c where c.word = a.word) as is_common,
           count(m.record_id)::float8 as records, count(n.record_id)::float8 as among_newest
    from (select distinct b.word, b.is_subject from asked b) a
    left join matches m on m.word = a.word
    left join newest n on n.record_id = m.record_id
    group by a.word, a.is_subject
  ), total as (
    -- Counting all records would take longer than the search. The share of hits among the newest ones tells how many there
    -- are; with common words, of which not all hits are known, how many there are at least.
    select s.n as newest,
      case when s.n < 500 then s.n
           else greatest(s.n, s.n * (c.counted + 1) / (c.newest_counted + 1), s.n * (c.known + 1) / (c.newest_known + 1))
      end as n
    from (select count(*)::float8 as n from newest) s
    cross join (
      select coalesce(sum(c.records) filter (where not c.is_common), 0) as counted,
             coalesce(sum(c.among_newest) filter (where not c.is_common), 0) as newest_counted,
             coalesce(sum(c.records), 0) as known, coalesce(sum(c.among_newest), 0) as newest_known
      from counted c
    ) c
  ), frequent as (
    select c.word, c.is_subject, t.n, t.newest,
           case when c.is_common then greatest(c.records, t.n * c.among_newest / t.newest) else c.records end as records
    from counted c cross join total t
  ), oldest as materialized (
    -- The number of records is estimated from the newest ones. A word of nearly all of these may be new to the namespace.
    select r.terms from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
      and exists (select from frequent f where not f.is_subject and f.newest >= 500 and f.records >= 0.9 * f.n)
    order by r.created_at, r.record_id desc limit 500
  ), rated as (
    -- As if the namespace had fifty more records: in a namespace of three, every word would be equally rare.
    select f.word, f.records,
           ln(1 + (50 + greatest(f.n, f.records) - f.records + 0.5) / (f.records + 0.5)) as weight,
           f.is_subject or (
             f.n >= 3 and f.records >= 0.9 * f.n and (
               f.newest < 500 or 0.9 * 500 <= (
                 select count(*) from oldest o
                 where exists (select from asked a where a.word = f.word and a.term = any (o.terms))
               )
             )
           ) as of_subject
    from frequent f
  ), weights as (
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
      select s.record_id, max(t.score) as cited, array_agg(distinct s.session_key || ' ' || s.sequence) as turns
      from unnest(session_keys, sequences, scores) as t (session_key, sequence, score)
      join record_sources s on s.session_key = t.session_key and s.sequence = t.sequence and s.tenant_id = for_tenant
      group by s.record_id
    ) t
    join records r on r.record_id = t.record_id
    where r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
      and (superseded_too or r.superseded_by is null)
  ), found as (
    select record_id, coalesce(w.own, 0)::float8 as own, coalesce(w.matched, 0) as matched,
           coalesce(w.words, t.words) as words, coalesce(t.cited, 0)::float8 as cited, t.turns,
           coalesce(w.created_at, t.created_at) as created_at
    from by_words w full join by_turns t using (record_id)
    order by coalesce(t.cited, 0) + own_weight * coalesce(w.own, 0) desc, coalesce(w.created_at, t.created_at) desc, record_id
    limit most
  ), usual as materialized (
    select coalesce(avg(n.words), 8)::float8 as words from newest n
  )
  select f.record_id, f.own, f.matched, f.words, u.words,
         (select count(*) from weights a where a.records > 0 and a.weight > 0)::integer,
         f.cited, f.turns, exists (select from record_sources s where s.record_id = f.record_id), f.created_at
  from found f cross join usual u
  order by f.cited + own_weight * f.own desc, f.created_at desc, f.record_id;
end $$;
