-- Up Migration

-- `find_records` needed the ranked turns, so it could only start when these were known. These two do its work: the first
-- one needs no turns, the second one is short. Their results are joined in the process. `find_records` stays for
-- processes of an earlier release.
create function find_record_words(
  for_tenant uuid, of_memory uuid, in_namespace text, query text, subjects text, superseded_too boolean, most integer
)
returns table (weights float8[], whole float8, known integer, usual_words float8, records text)
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
    select m.record_id, m.words, m.created_at, sum(w.weight * m.factor) as weight,
           count(*) filter (where w.weight > 0) as matched
    from matches m join weights w on w.word = m.word
    group by m.record_id, m.words, m.created_at having sum(w.weight) > 0
    order by sum(w.weight * m.factor) desc, m.created_at desc, m.record_id limit most
  )
  select array(select case when w.word in (select s.word from searched s) then w.weight else 0 end from weights w order by w.word),
         (select greatest(sum(w.weight), 1e-9) from weights w),
         (select count(*) from weights w where w.records > 0 and w.weight > 0)::integer, (select s.usual_words from size s),
         (select string_agg(concat_ws(' ', b.record_id, (extract(epoch from b.created_at) * 1000000)::bigint, b.words, b.weight,
                              b.matched, (exists (select from record_sources s where s.record_id = b.record_id))::integer), ' ')
          from by_words b);
end $$;

-- The records that cite turns: each with the words of the query that it has, negative if in another form, and the places
-- of these turns in the arrays.
create function find_citing_records(
  for_tenant uuid, of_memory uuid, in_namespace text, query text, superseded_too boolean, session_keys bigint[],
  sequences bigint[]
)
returns table (records text)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  with asked as materialized (
    select q.word, array_agg(q.term) as terms, max(q.term) filter (where q.factor = 1) as exact
    from record_query(of_memory, in_namespace, query) q group by q.word
  ), citing as (
    select s.record_id, string_agg(t.n::text, ',') as turns
    from unnest(session_keys, sequences) with ordinality as t (session_key, sequence, n)
    cross join lateral (
      select i.record_id from record_sources i
      where i.session_key = t.session_key and i.sequence = t.sequence and i.tenant_id = for_tenant
      offset 0
    ) s
    group by s.record_id
  )
  select string_agg(concat_ws(' ', c.record_id, (extract(epoch from r.created_at) * 1000000)::bigint, cardinality(r.terms),
                              coalesce(w.words, '0'), c.turns), ' ')
  from citing c
  -- A lateral `limit 1` is always one lookup; a join may read all records.
  cross join lateral (select i.* from records i where i.record_id = c.record_id limit 1) r
  cross join lateral (
    select string_agg((case when a.exact = any (r.terms) then a.word else -a.word end)::text, ',') as words
    from asked a where a.terms && r.terms
  ) w
  where r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
    and (superseded_too or r.superseded_by is null);
end $$;
