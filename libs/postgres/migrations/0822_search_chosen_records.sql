-- Up Migration

-- Works with the previous release: the new argument has a default.

-- Changes a part of a function, which must be there once.
create function pg_temp.edit(name regprocedure, before text, after text) returns void language plpgsql as $$
declare
  source constant text := pg_get_functiondef(name);
begin
  if length(source) - length(replace(source, before, '')) <> length(before) then
    raise exception '% does not contain this once: %', name, before;
  end if;
  execute replace(source, before, after);
end $$;

-- `wanted`: the records that meet the conditions of a search, newest first. Only these are found, whatever others say. How
-- rare a word is, is a matter of the whole namespace.
select pg_temp.edit('find_citing_records(uuid, uuid, text, text, boolean, bigint[], bigint[])',
  'sequences bigint[])', 'sequences bigint[], wanted uuid[] default null)');
drop function find_citing_records(uuid, uuid, text, text, boolean, bigint[], bigint[]);
select pg_temp.edit('find_citing_records(uuid, uuid, text, text, boolean, bigint[], bigint[], uuid[])',
  'and (superseded_too or r.superseded_by is null);', 'and (superseded_too or r.superseded_by is null)
    and (wanted is null or r.record_id in (select o.id from unnest(wanted) o (id)));');

select pg_temp.edit('find_record_words(uuid, uuid, text, text, text, boolean, integer)',
  'most integer)', 'most integer, wanted uuid[] default null)');
drop function find_record_words(uuid, uuid, text, text, text, boolean, integer);
create function pg_temp.edit_search(before text, after text) returns void language sql as $$
  select pg_temp.edit('find_record_words(uuid, uuid, text, text, text, boolean, integer, uuid[])', before, after);
$$;
select pg_temp.edit_search(
'  ), by_words as (
    select m.record_id, m.words, m.created_at, sum(w.weight * m.factor) as weight,
           count(*) filter (where w.weight > 0) as matched
    from matches m join', '  ), chosen as materialized (
    select r.record_id, r.terms, r.created_at
    -- Reading more takes longer than the search. Beyond them, those are found that a search without conditions finds.
    from unnest(wanted[:10000]) o (id)
    cross join lateral (select i.* from records i where i.record_id = o.id and i.tenant_id = for_tenant limit 1) r
    where r.memory_id = of_memory and r.namespace = in_namespace and (superseded_too or r.superseded_by is null)
  ), found as (
    select m.record_id, m.word, m.factor, m.words, m.created_at from matches m
    where wanted is null or m.record_id in (select o.id from unnest(wanted[10001:]) o (id))
    union all
    select c.record_id, s.word, case when s.exact = any (c.terms) then 1.0::float8 else 0.8 end, cardinality(c.terms),
           c.created_at
    from chosen c join searched s on c.terms && s.terms
  ), by_words as (
    select m.record_id, m.words, m.created_at, sum(w.weight * m.factor) as weight,
           count(*) filter (where w.weight > 0) as matched
    from found m join');
