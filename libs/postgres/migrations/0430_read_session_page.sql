-- Up Migration

-- A page of a session: numbered, unexpired events that match the filter, in the order of their sequence numbers, until
-- `most` rows or `most_bytes` of data. `beyond` marks one more row, without data, if there is more.
-- Reads only the requested part of the index of sessions. Planned per call, a session's page was read from the index of
-- all the tenant's event ids until the table statistics caught up.
create function read_session_page(
  tenant uuid, memory uuid, actor text, session text, after bigint, before bigint, only_types text[],
  earliest timestamptz, latest timestamptz, newest_first boolean, skip bigint, most bigint, most_bytes bigint
) returns table(
  "position" double precision, sequence double precision, session_key double precision, event_id uuid, tenant_id uuid,
  memory_id uuid, actor_id text, session_id text, type text, schema_version smallint, data json,
  occurred_at timestamptz, recorded_at timestamptz, expires_at timestamptz, bytes double precision, beyond boolean
) language plpgsql stable
  set plan_cache_mode to 'force_generic_plan'
  set enable_seqscan to 'off'
  set enable_bitmapscan to 'off'
  set enable_sort to 'off'
  set jit to 'off'
as $$
#variable_conflict use_column
declare
  wanted bigint;
  rows_read bigint := 0;
  bytes_read double precision := 0;
  matches refcursor;
begin
  select s.session_key into wanted from sessions s
   where s.tenant_id = tenant and s.memory_id = memory and s.actor_id = actor and s.session_id = session;
  if newest_first then
    open matches no scroll for
      select e.position, e.sequence, e.session_key, e.event_id, e.tenant_id, e.memory_id, actor, session, e.type,
             e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at, octet_length(e.data::text), false
        from events e
       where e.session_key = wanted and e.sequence > coalesce(after, -1)
         and e.sequence < coalesce(before, 9223372036854775807)
         and (e.expires_at is null or e.expires_at > now()) and (only_types is null or e.type = any (only_types))
         and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
         and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
       order by e.sequence desc offset skip limit most + 1;
  else
    open matches no scroll for
      select e.position, e.sequence, e.session_key, e.event_id, e.tenant_id, e.memory_id, actor, session, e.type,
             e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at, octet_length(e.data::text), false
        from events e
       where e.session_key = wanted and e.sequence > coalesce(after, -1)
         and e.sequence < coalesce(before, 9223372036854775807)
         and (e.expires_at is null or e.expires_at > now()) and (only_types is null or e.type = any (only_types))
         and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
         and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
       order by e.sequence asc offset skip limit most + 1;
  end if;
  loop
    fetch matches into position, sequence, session_key, event_id, tenant_id, memory_id, actor_id, session_id, type,
      schema_version, data, occurred_at, recorded_at, expires_at, bytes, beyond;
    exit when not found;
    if rows_read >= most or bytes_read >= most_bytes then
      data := null;
      beyond := true;
      return next;
      exit;
    end if;
    return next;
    rows_read := rows_read + 1;
    bytes_read := bytes_read + bytes;
  end loop;
  close matches;
end $$;

-- The number of events that `read_session_page` would read in all.
create function count_session_events(
  tenant uuid, memory uuid, actor text, session text, only_types text[], earliest timestamptz, latest timestamptz
) returns double precision language sql stable
  set enable_seqscan to 'off'
  set enable_bitmapscan to 'off'
  set jit to 'off'
as $$
  select count(*)::float8 from events e
   where e.session_key = (select s.session_key from sessions s
                           where s.tenant_id = tenant and s.memory_id = memory and s.actor_id = actor
                             and s.session_id = session)
     and e.sequence is not null and (e.expires_at is null or e.expires_at > now())
     and (only_types is null or e.type = any (only_types))
     and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
     and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
$$;
