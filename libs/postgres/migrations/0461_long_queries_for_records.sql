-- Up Migration

-- Limits what a long query for records costs. 10,000 characters were up to 2,000 words, and each of them was compared with
-- each term of each matching record.

-- The terms of a query, numbered by its words: the first 64 different ones of its first 4,000 characters, as in a search
-- of turns.
create or replace function record_query(of_memory uuid, in_namespace text, body text)
returns table (word integer, term bigint, factor float8) language sql immutable parallel safe as $$
  select w.n, t.term, max(t.factor)
  from (
    select u.lexeme, row_number() over (order by u.positions[1], u.lexeme)::integer as n
    from unnest(to_tsvector('pg_catalog.english', left(body, 4000))) u
    order by u.positions[1], u.lexeme limit 64
  ) w
  cross join lateral (values
    (record_term(of_memory, in_namespace, w.lexeme, false), 1.0::float8),
    (record_term(of_memory, in_namespace, record_root(w.lexeme), false), 0.8),
    (record_term(of_memory, in_namespace, record_root(w.lexeme), true), 0.8)
  ) t (term, factor)
  group by w.n, t.term;
$$;

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
  wanted constant bigint[] := array(select q.term from record_query(of_memory, in_namespace, query) q);
  named constant bigint[] := record_terms(of_memory, in_namespace, subjects);
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  with total as (
    -- Weights grow with its logarithm: beyond this many they hardly change.
    select count(*)::float8 as n from (
      select from records r
      where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
      -- In the order of the index, so that no more are read.
      order by r.created_at desc, r.record_id limit 2000
    ) counted
  ), hits as materialized (
    select r.record_id, r.terms, cardinality(r.terms) as words, r.created_at from records r
    where r.terms && wanted and r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
      and (superseded_too or r.superseded_by is null)
  ), asked as materialized (
    select q.word, q.term, q.factor from record_query(of_memory, in_namespace, query) q
  ), matches as (
    select h.record_id, a.word, max(a.factor) as factor
    -- Each term of a record is looked up once, however many words are asked for.
    from hits h cross join lateral unnest(h.terms) as t (term) join asked a on a.term = t.term
    group by h.record_id, a.word
  ), held as (
    select w.word, w.is_subject, count(m.record_id)::float8 as records, t.n
    from total t
    cross join (select a.word, bool_or(a.term = any (named)) as is_subject from asked a group by a.word) w
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
    select m.record_id, sum(w.weight * m.factor) / (select greatest(sum(a.weight), 1e-9) from weights a) as own,
           count(*) filter (where w.weight > 0)::integer as matched
    from matches m join weights w on w.word = m.word group by m.record_id having sum(w.weight) > 0
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
           coalesce(h.words, t.words) as words, coalesce(t.cited, 0)::float8 as cited, t.turns,
           coalesce(h.created_at, t.created_at) as created_at
    from (by_words w join hits h using (record_id)) full join by_turns t using (record_id)
    order by coalesce(t.cited, 0) + own_weight * coalesce(w.own, 0) desc, coalesce(h.created_at, t.created_at) desc, record_id
    limit most
  ), usual as (
    select coalesce(avg(h.words), 8)::float8 as words from hits h
  )
  select f.record_id, f.own, f.matched, f.words, u.words,
         (select count(*) from weights a where a.records > 0 and a.weight > 0)::integer,
         f.cited, f.turns, exists (select from record_sources s where s.record_id = f.record_id), f.created_at
  from found f cross join usual u
  order by f.cited + own_weight * f.own desc, f.created_at desc, f.record_id;
end $$;
