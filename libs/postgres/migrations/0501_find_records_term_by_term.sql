-- Up Migration

-- Records are found term by term: a record's other terms are not read, and a word of very many records is read only in
-- part. Names of subjects, which weigh nothing, are searched for only if a query has no other words. In a namespace of
-- more than 2,000 records, a word of most of 2,000 counted as a word of every record and weighed nothing.
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
  ), newest as materialized (
    select r.record_id, cardinality(r.terms) as words from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
    -- In the order of the index, so that no more are read.
    order by r.created_at desc, r.record_id limit 2000
  ), matches as materialized (
    select m.record_id, a.word, max(a.factor) as factor, m.words, m.created_at
    from asked a
    cross join lateral (
      select r.record_id, cardinality(r.terms) as words, r.created_at from records r
      where r.terms @> array[a.term] and r.tenant_id = for_tenant and r.memory_id = of_memory
        and r.namespace = in_namespace and (superseded_too or r.superseded_by is null)
      limit (select 12000 / count(distinct b.word) from asked b)
    ) m
    where not a.is_subject or (select bool_and(b.is_subject) from asked b)
    group by m.record_id, a.word, m.words, m.created_at
  ), total as (
    -- Counting all records would take longer than the search. The share of hits among the newest ones tells how many there
    -- are.
    select case when c.n < 2000 then c.n else greatest(c.n, c.n * (a.n + 1) / (c.hits + 1)) end as n
    from (
      select count(*)::float8 as n, count(h.record_id) as hits
      from newest left join (select distinct m.record_id from matches m) h using (record_id)
    ) c
    cross join (select count(distinct m.record_id) as n from matches m) a
  ), held as (
    select w.word, w.is_subject, count(m.record_id)::float8 as records, t.n
    from total t
    cross join (select distinct a.word, a.is_subject from asked a) w
    left join matches m on m.word = w.word
    group by w.word, w.is_subject, t.n
  ), rated as (
    -- As if the namespace had fifty more records: in a namespace of three, every word would be equally rare.
    select h.word, h.records,
           ln(1 + (50 + greatest(h.n, h.records) - h.records + 0.5) / (h.records + 0.5)) as weight,
           h.is_subject or (h.n >= 3 and h.records >= 0.9 * h.n) as of_subject
    from held h
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
