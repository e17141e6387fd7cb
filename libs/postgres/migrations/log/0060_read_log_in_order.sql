-- Up Migration

-- Readers follow the log from where they are, page by page, on connections that live as long as their process. A plan
-- that was made for them when the tables were small would be kept while they grow: it was seen to sort the whole log for
-- every page (docs/adr). So the plan is fixed, as that of append_events: the log by its primary key, in its order, and what
-- belongs to an event by one index lookup each (of a lateral `limit 1` nothing else can be made). The previous release
-- survives this: it does not know the functions.

create function read_log(after bigint, most integer, only_types text[])
returns table (
  "position" double precision,
  sequence double precision,
  session_key double precision,
  event_id uuid,
  tenant_id uuid,
  memory_id uuid,
  actor_id text,
  session_id text,
  type text,
  schema_version smallint,
  data json,
  occurred_at timestamptz,
  recorded_at timestamptz,
  expires_at timestamptz
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
begin
  return query
  select
    e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.tenant_id, e.memory_id,
    s.actor_id, s.session_id, e.type, e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at
  from events e
  left join lateral (
    select i.session_key, i.actor_id, i.session_id from sessions i where i.session_key = e.session_key limit 1
  ) as s on true
  cross join lateral (
    select i.is_open from memory_gates i where i.memory_id = e.memory_id limit 1
  ) as g
  where e.partition = 0 and e.position > after
    and (e.expires_at is null or e.expires_at > now())
    -- Not what an erased session or a deleted memory left, for as long as it is not purged.
    and (e.session_key is null or s.session_key is not null)
    and (g.is_open or e.type = 'memory.deleted')
    and (only_types is null or e.type = any (only_types))
  order by e.position
  limit most;
end $$;

create function read_references(after bigint, most integer)
returns table (
  "position" double precision,
  sequence double precision,
  session_key double precision,
  event_id uuid,
  type text,
  tenant_id uuid,
  memory_id uuid
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set jit = off
as $$
#variable_conflict use_column
begin
  return query
  select e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.type, e.tenant_id, e.memory_id
  from events e
  where e.partition = 0 and e.position > after and (e.expires_at is null or e.expires_at > now())
  order by e.position
  limit most;
end $$;

-- The same for the index of questions; and a message is taken apart once, not once per key.
create or replace function index_questions(most integer)
returns bigint language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  done bigint;
  head bigint;
  upto bigint;
begin
  select c.position into done from question_cursor c where c.name = 'questions' for update skip locked;
  if done is null then
    return null;
  end if;
  head := greatest(
    (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
    (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
    0
  );
  upto := least(head, done + most);
  if upto = done then
    return 0;
  end if;
  insert into questions (position, tenant_id, of_session, of_actor, of_memory)
  select
    e.position, e.tenant_id,
    question_key('session:' || e.session_key, e.words),
    question_key('actor:' || e.memory_id || ':' || e.actor_id, e.words),
    question_key('memory:' || e.memory_id, e.words)
  from (
    select i.position, i.tenant_id, i.memory_id, i.session_key, s.actor_id, question_words(i.type, i.data) as words
    from events i
    cross join lateral (select k.actor_id from sessions k where k.session_key = i.session_key limit 1) as s
    where i.partition = 0 and i.position > done and i.position <= upto
    order by i.position
    -- A fence: without it the words are taken out of the message again for every place where they are named.
    offset 0
  ) e
  where e.words is not null;
  update question_cursor set position = upto where name = 'questions';
  return head - upto;
end $$;
