-- Up Migration

-- What the dispatcher needs of most events: that they are there, and whether the user had a turn. Their bodies stay where
-- they are. Plans are fixed as in 0060. The previous release survives this but for read_log, which gets a parameter. Where
-- an earlier text of 0060 has made these functions, they are made again.

-- A turn of the end user: the roles that say so are those of the domain (isUserRole).
create or replace function is_user_turn(type text, data json) returns boolean language sql immutable parallel safe as $$
  select type = 'message.appended' and lower(data ->> 'role') in ('user', 'human');
$$;

create or replace function read_outline(after bigint, most integer)
returns table (
  "position" double precision,
  session_key double precision,
  sequence double precision,
  type text,
  is_user_turn boolean
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
  select e.position::float8, e.session_key::float8, e.sequence::float8, e.type, is_user_turn(e.type, e.data)
  from events e
  left join lateral (select i.session_key from sessions i where i.session_key = e.session_key limit 1) as s on true
  cross join lateral (select i.is_open from memory_gates i where i.memory_id = e.memory_id limit 1) as g
  where e.partition = 0 and e.position > after
    and (e.expires_at is null or e.expires_at > now())
    -- Not what an erased session or a deleted memory left, for as long as it is not purged.
    and (e.session_key is null or s.session_key is not null)
    and (g.is_open or e.type = 'memory.deleted')
  order by e.position
  limit most;
end $$;

drop function if exists read_log(bigint, integer, text[]);
create or replace function read_log(after bigint, most integer, only_types text[], through bigint)
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
  where e.partition = 0 and e.position > after and e.position <= coalesce(through, 9223372036854775807)
    and (e.expires_at is null or e.expires_at > now())
    and (e.session_key is null or s.session_key is not null)
    and (g.is_open or e.type = 'memory.deleted')
    and (only_types is null or e.type = any (only_types))
  order by e.position
  limit most;
end $$;
