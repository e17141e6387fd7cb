-- Up Migration

-- Processes hold the turns of actors and the records of namespaces that are searched often. Before each use, they ask what
-- has changed since the snapshot of what they hold: `search_changes` says which session or record. The rows of a
-- transaction become visible with its other changes, whatever order transactions commit in, so none is missed. The worker
-- deletes rows that no process can need any more.
create table search_changes (
  -- `turn_sessions.actor_key`, or `records_scope`. 0: all of them.
  scope bigint not null,
  session_key bigint,
  record_id uuid,
  changed_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default now()
);
create index search_changes_by_scope on search_changes (scope, changed_by);
create index search_changes_by_age on search_changes using brin (changed_at);

create function records_scope(of_memory uuid, in_namespace text) returns bigint
language sql immutable parallel safe
return hashtextextended(in_namespace, hashtextextended(of_memory::text, 2));

create function note_changed_turns() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if tg_op = 'TRUNCATE' then
    insert into search_changes (scope) values (0);
  else
    insert into search_changes (scope, session_key) select distinct c.actor_key, c.session_key from changed c;
  end if;
  return null;
end $$;
create trigger note_added_turns after insert on turn_sessions
  referencing new table as changed for each statement execute function note_changed_turns();
create trigger note_updated_turns after update on turn_sessions
  referencing new table as changed for each statement execute function note_changed_turns();
create trigger note_deleted_turns after delete on turn_sessions
  referencing old table as changed for each statement execute function note_changed_turns();
create trigger note_dropped_turns after truncate on turn_sessions
  for each statement execute function note_changed_turns();

create function note_changed_records() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into search_changes (scope, record_id)
  select records_scope(c.memory_id, c.namespace), c.record_id from changed c;
  return null;
end $$;
create trigger note_added_records after insert on records
  referencing new table as changed for each statement execute function note_changed_records();
create trigger note_updated_records after update on records
  referencing new table as changed for each statement execute function note_changed_records();
create trigger note_deleted_records after delete on records
  referencing old table as changed for each statement execute function note_changed_records();

-- Sources deleted together with their record are noted by the record's trigger.
create function note_changed_sources() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into search_changes (scope, record_id)
  select records_scope(r.memory_id, r.namespace), r.record_id
  from (select distinct c.record_id from changed c) c
  cross join lateral (select i.* from records i where i.record_id = c.record_id limit 1) r;
  return null;
end $$;
create trigger note_added_sources after insert on record_sources
  referencing new table as changed for each statement execute function note_changed_sources();
create trigger note_updated_sources after update on record_sources
  referencing new table as changed for each statement execute function note_changed_sources();
create trigger note_deleted_sources after delete on record_sources
  referencing old table as changed for each statement execute function note_changed_sources();

-- Differs after every restart of the server, because the statistics are reset by it after every recovery from a crash, and
-- after a restore. Then transaction ids may be used again, and no snapshot from before tells what has changed.
create function snapshot_epoch() returns text
language sql stable
return concat(extract(epoch from pg_postmaster_start_time()), ' ', extract(epoch from pg_stat_get_bgwriter_stat_reset_time()),
              ' ', 'search_changes'::regclass::oid);

-- The sessions or records of a scope that have changed since a snapshot; null if that cannot be told. `as_of` is the
-- snapshot of this statement, for the next call.
create function changes_since(of_scope bigint, since text, out as_of text, out session_keys bigint[], out record_ids uuid[])
language plpgsql stable security definer set search_path from current
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  epoch constant text := snapshot_epoch();
  before pg_snapshot;
  all_changed boolean;
begin
  as_of := concat(epoch, '/', pg_current_snapshot());
  if split_part(since, '/', 1) is distinct from epoch then
    return;
  end if;
  before := split_part(since, '/', 2)::pg_snapshot;
  select coalesce(array_agg(distinct c.session_key) filter (where c.session_key is not null), '{}'),
         coalesce(array_agg(distinct c.record_id) filter (where c.record_id is not null), '{}'),
         coalesce(bool_or(c.scope = 0), false)
  into session_keys, record_ids, all_changed
  from search_changes c
  where c.scope in (of_scope, 0) and c.changed_by >= pg_snapshot_xmin(before)
    and not pg_visible_in_snapshot(c.changed_by, before);
  if all_changed then
    session_keys := null;
  end if;
end $$;

-- Null: recorded before this migration. `turn_words` has the counts as well, at one lookup each.
alter table turns add column counts smallint[];

create or replace function index_turns(after_position bigint, upto_position bigint, turns json) returns bigint
language plpgsql security definer set search_path from current
-- Always one lookup for each turn, whatever the tables held when the plan was made.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
  wanted constant bigint[] := array(select (t ->> 'position')::bigint from json_array_elements(turns) t);
  held bigint[];
  of_sessions bigint[];
  reached bigint;
  upto bigint;
begin
  select c.position into reached from question_cursor c where c.name = 'turns' for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  -- A crash that loses these rows loses the cursor as well, and the turns are indexed again.
  perform set_config('synchronous_commit', 'off', true);
  -- The events are locked until the commit: a later deletion finds the rows written here. An event that is being deleted
  -- ends this batch before it.
  select array_agg(h.position), array_agg(distinct h.session_key) into held, of_sessions from (
    select e.position, e.session_key from events e
    where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (wanted)
    order by e.position for key share skip locked
  ) h;
  if coalesce(cardinality(held), 0) < cardinality(wanted) then
    select e.position - 1 into upto from events e
    where e.partition = 0 and e.position > after_position and e.position <= upto_position and e.position = any (wanted)
      and e.position <> all (coalesce(held, '{}'))
    order by e.position limit 1;
  end if;
  upto := least(upto_position, upto);

  perform from turn_sessions o where o.session_key = any (of_sessions) order by o.session_key for update;
  with taken as materialized (
    select
      e.session_key, e.sequence, e.tenant_id, e.memory_id, m.memory, hashtextextended(s.actor_id, m.memory) as actor_key,
      coalesce(o.last_place, 0) + row_number() over (partition by e.session_key order by t.position) as place,
      t.day, t.traits, t.speaker, t.language, t.words, t.terms as stems, t.counts
    from json_to_recordset(turns) as t (
      position bigint, day integer, traits smallint, speaker text, language text, words integer, terms text[],
      counts smallint[]
    )
    cross join lateral (
      select e.session_key, e.sequence, e.tenant_id, e.memory_id from events e
      where e.partition = 0 and e.position = t.position limit 1
    ) e
    cross join lateral (select s.actor_id from sessions s where s.session_key = e.session_key limit 1) s
    left join lateral (select o.last_place from turn_sessions o where o.session_key = e.session_key limit 1) o on true
    cross join lateral (select turn_memory(e.tenant_id, e.memory_id) as memory) m
    where t.position <= upto
  ), changed_sessions as (
    insert into turn_sessions as o
    select n.session_key, (array_agg(n.tenant_id))[1], (array_agg(n.memory_id))[1], max(n.actor_key), max(n.place),
           count(*), sum(n.words), min(n.day), max(n.day),
           coalesce(array_agg(distinct n.speaker) filter (where n.speaker is not null), '{}'),
           array_agg(distinct n.language)
    from taken n group by n.session_key order by n.session_key
    on conflict (session_key) do update
    set last_place = excluded.last_place, turns = o.turns + excluded.turns, words = o.words + excluded.words,
        first_day = least(o.first_day, excluded.first_day), last_day = greatest(o.last_day, excluded.last_day),
        speakers = array(select distinct x from unnest(o.speakers || excluded.speakers) x order by x),
        languages = array(select distinct x from unnest(o.languages || excluded.languages) x order by x)
  ), added_turns as (
    insert into turns (session_key, place, sequence, tenant_id, day, traits, speaker, language, words, terms, counts)
    select n.session_key, n.place, n.sequence, n.tenant_id, n.day, n.traits, n.speaker, n.language, n.words,
           array(select hashtextextended(stem, n.memory) from unnest(n.stems) stem), n.counts
    from taken n
  )
  insert into turn_words (word, actor_key, session_key, place, count, words)
  select hashtextextended(w.stem, n.memory), n.actor_key, n.session_key, n.place, w.count, least(n.words, 32767)
  from taken n cross join lateral unnest(n.stems, n.counts) as w (stem, count)
  order by 1, 2, 3, 4;
  update question_cursor set position = upto where name = 'turns';
  return upto;
end $$;
-- Whether what a process holds of an actor's turns is up to date, and how far the index is.
create function check_held_turns(for_tenant uuid, of_memory uuid, of_actor text, since text)
returns table (indexed float8, head float8, as_of text, session_keys bigint[])
language plpgsql stable set search_path from current
set jit = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  select c.position::float8, newest_position()::float8, s.as_of, s.session_keys
  from question_cursor c
  cross join lateral changes_since(hashtextextended(of_actor, turn_memory(for_tenant, of_memory)), since) s
  where c.name = 'turns';
end $$;

-- Sessions of an actor with their turns, for a process that holds them: the chosen ones, or the next ones by key. Words
-- are the lowest 53 bits of their hashes, which fit into a float8.
-- `turns`: `place sequence day traits speaker words (word count …),…`; the speaker is its place in `speakers`, or 0.
create function list_held_turns(for_tenant uuid, of_memory uuid, of_actor text, chosen bigint[], after_session bigint, most integer)
returns table (session_key float8, words float8, first_day integer, last_day integer, speakers text[], languages text[], turns text)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  with listed as materialized (
    select o.* from unnest(chosen) c
    cross join lateral (select i.* from turn_sessions i where i.session_key = c limit 1) o
    where o.tenant_id = for_tenant and o.memory_id = of_memory
      and o.actor_key = hashtextextended(of_actor, turn_memory(for_tenant, of_memory))
    union all
    (select o.* from turn_sessions o
     where chosen is null and o.memory_id = of_memory and o.tenant_id = for_tenant
       and o.actor_key = hashtextextended(of_actor, turn_memory(for_tenant, of_memory)) and o.session_key > after_session
     order by o.session_key limit most)
  )
  select o.session_key::float8, o.words::float8, o.first_day, o.last_day, o.speakers, o.languages, t.turns
  from listed o
  cross join lateral (
    select string_agg(concat_ws(' ', t.place, t.sequence, t.day, t.traits, coalesce(array_position(o.speakers, t.speaker), 0),
                                t.words, w.counted), ',' order by t.place) as turns
    from (select i.* from turns i where i.session_key = o.session_key offset 0) t
    cross join lateral (
      select string_agg((u.term & 9007199254740991) || ' ' || coalesce(u.count, (
               select w.count from turn_words w
               where w.word = u.term and w.actor_key = o.actor_key and w.session_key = t.session_key and w.place = t.place
             ), 1), ' ') as counted
      from unnest(t.terms, t.counts) u (term, count)
    ) w
  ) t
  order by o.session_key;
end $$;

-- Whether what a process holds of a namespace's records is up to date, and the query as `find_record_words` reads it:
-- `word exact subject term term,…`, where `exact` is the term of the word as asked, and `subject` is 1 for a subject's name.
create function check_held_records(
  for_tenant uuid, of_memory uuid, in_namespace text, since text, query text, subjects text
)
returns table (as_of text, record_ids uuid[], asked text)
language plpgsql stable set search_path from current
set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  named constant bigint[] := record_terms(of_memory, in_namespace, subjects);
begin
  return query
  select s.as_of, s.record_ids, (
    select string_agg(a.packed, ',') from (
      select concat_ws(' ', q.word, max(q.term) filter (where q.factor = 1) & 9007199254740991,
                       bool_or(q.term = any (named))::integer,
                       string_agg((q.term & 9007199254740991)::text, ' ')) as packed
      from record_query(of_memory, in_namespace, query) q group by q.word order by q.word
    ) a
  )
  from changes_since(records_scope(of_memory, in_namespace), since) s;
end $$;

-- Records of a namespace with their sources, for a process that holds them: the chosen ones, or the next ones from the
-- newest to the oldest.
create function list_held_records(
  for_tenant uuid, of_memory uuid, in_namespace text, chosen uuid[], before timestamptz, after_record uuid, most integer
)
returns table (
  record_id uuid, created_at timestamptz, created float8, is_superseded boolean, actor_id text, terms text, has_sources boolean, sources text
)
language plpgsql stable set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with listed as materialized (
    select r.* from unnest(chosen) c
    cross join lateral (select i.* from records i where i.record_id = c limit 1) r
    where r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
    union all
    (select r.* from records r
     where chosen is null and r.tenant_id = for_tenant and r.memory_id = of_memory
       and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
       and r.created_at <= before and (r.created_at < before or r.record_id > after_record)
     order by r.created_at desc, r.record_id limit most)
  )
  select r.record_id, r.created_at, (extract(epoch from r.created_at) * 1000000)::float8, r.superseded_by is not null, r.actor_id,
         (select string_agg((t & 9007199254740991)::text, ' ') from unnest(r.terms) t), s.n > 0, s.sources
  from listed r
  cross join lateral (
    select count(*) as n,
           string_agg(i.session_key || ' ' || i.sequence, ' ') filter (where i.session_key is not null) as sources
    from record_sources i where i.record_id = r.record_id and i.tenant_id = for_tenant
  ) s
  order by r.created_at desc, r.record_id;
end $$;

create function forget_search_changes(most integer) returns integer
language sql security definer set search_path from current as $$
  with forgotten as (
    delete from search_changes c where c.ctid = any (array(
      select o.ctid from search_changes o where o.changed_at < now() - interval '1 day' limit most
    )) returning 1
  )
  select count(*)::integer from forgotten;
$$;
