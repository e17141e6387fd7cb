-- Up Migration

-- Records are found by their words through an index that knows their namespace: each word is stored as a number that
-- stands for it within tenant-owned memory and namespace, so a search reads the records of its own namespace only. A
-- generated column: whatever writes records keeps it. The previous release survives this: it goes on reading `words`.

-- What stands for a word in a namespace. `derived`: for what is left of words whose ending was cut.
create function record_term(of_memory uuid, in_namespace text, word text, derived boolean) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(word, hashtextextended(in_namespace, hashtextextended(of_memory::text, derived::integer)));
$$;

-- A stem without the endings that Snowball leaves: shipment as shipping, delivery as deliver.
create function record_root(stem text) returns text language sql immutable parallel safe as $$
  select regexp_replace(stem, '(?<=....)(ment|i)$', '');
$$;

-- The words of a record: its stems, and the roots of those that have another one.
create function record_terms(of_memory uuid, in_namespace text, body text) returns bigint[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct t.term), '{}')
  from unnest(to_tsvector('pg_catalog.english', body)) w
  cross join lateral (
    select record_term(of_memory, in_namespace, w.lexeme, false)
    union all
    select record_term(of_memory, in_namespace, record_root(w.lexeme), true) where record_root(w.lexeme) <> w.lexeme
  ) t (term);
$$;

-- The words of a query by their numbers, with all that a record may hold for them. A derived form counts for less.
create function record_query(of_memory uuid, in_namespace text, body text)
returns table (word integer, term bigint, factor float8) language sql immutable parallel safe as $$
  select w.n::integer, t.term, max(t.factor)
  from unnest(tsvector_to_array(to_tsvector('pg_catalog.english', body))) with ordinality as w (lexeme, n)
  cross join lateral (values
    (record_term(of_memory, in_namespace, w.lexeme, false), 1.0::float8),
    (record_term(of_memory, in_namespace, record_root(w.lexeme), false), 0.8),
    (record_term(of_memory, in_namespace, record_root(w.lexeme), true), 0.8)
  ) t (term, factor)
  group by w.n, t.term;
$$;

alter table records add column terms bigint[] generated always as (record_terms(memory_id, namespace, text || ' ' || keywords)) stored;
-- Found at once, without a list of what is still to be indexed that every search would read through.
create index records_by_terms on records using gin (terms) with (fastupdate = off);
-- No query could use it: every search read its whole namespace.
drop index records_by_words;
create index record_sources_by_turn on record_sources (session_key, sequence);

-- Records of a namespace that hold words of a query or rest on turns that answer it. Runs as the owner, because row-level
-- security would keep the index from being used; so it asks whose rows these are itself.
--
-- `own`: share of the query's words that the record holds, each weighted by its rarity in the namespace. Words of
-- `subjects` and those that nearly every record holds carry no weight, unless the query has no other. A word that no
-- record holds weighs no more than the heaviest that one does.
create function find_records(
  for_tenant uuid, of_memory uuid, in_namespace text, query text, subjects text, superseded_too boolean,
  session_keys bigint[], sequences bigint[], scores float8[], own_weight float8, most integer
)
returns table (record_id uuid, own float8, matched integer, words integer, usual_words float8, known integer,
               cited float8, turns text[], has_sources boolean, created_at timestamptz)
language plpgsql stable security definer set search_path from current
set jit = off set max_parallel_workers_per_gather = 0 as $$
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
      limit 5000
    ) counted
  ), hits as materialized (
    select r.record_id, r.terms, cardinality(r.terms) as words from records r
    where r.terms && wanted and r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
      and (superseded_too or r.superseded_by is null)
  ), asked as materialized (
    select q.word, q.term, q.factor from record_query(of_memory, in_namespace, query) q
  ), matches as (
    select h.record_id, a.word, max(a.factor) as factor
    from hits h join asked a on a.term = any (h.terms) group by h.record_id, a.word
  ), held as (
    select w.word, w.is_subject, count(m.record_id)::float8 as records, t.n
    from total t
    cross join (select a.word, bool_or(a.term = any (named)) as is_subject from asked a group by a.word) w
    left join matches m on m.word = w.word
    group by w.word, w.is_subject, t.n
  ), rated as (
    -- As if the namespace had fifty records more: in one of three, every word would be as rare as the next.
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
    select s.record_id, max(t.score) as cited, array_agg(distinct s.session_key || ' ' || s.sequence) as turns
    from unnest(session_keys, sequences, scores) as t (session_key, sequence, score)
    join record_sources s on s.session_key = t.session_key and s.sequence = t.sequence and s.tenant_id = for_tenant
    group by s.record_id
  ), usual as (
    select coalesce(avg(h.words), 8)::float8 as words from hits h
  )
  select r.record_id, coalesce(w.own, 0)::float8, coalesce(w.matched, 0), cardinality(r.terms), u.words,
         (select count(*) from weights a where a.records > 0 and a.weight > 0)::integer,
         coalesce(t.cited, 0)::float8, t.turns,
         exists (select from record_sources s where s.record_id = r.record_id), r.created_at
  from by_words w full join by_turns t on t.record_id = w.record_id
  join records r on r.record_id = coalesce(w.record_id, t.record_id)
  cross join usual u
  where r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
    and (superseded_too or r.superseded_by is null)
  order by coalesce(t.cited, 0) + own_weight * coalesce(w.own, 0) desc, r.created_at desc, r.record_id
  limit most;
end $$;
