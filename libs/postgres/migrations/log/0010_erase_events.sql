-- Up Migration

-- Erasing is a few functions, so that a role may erase in these ways and in no other. The previous release survives
-- this: it reads sessions by their rows, and a session that is closed has none.

-- Sessions that are gone for good. Their events are unreadable from here on and are deleted soon after, batch by batch.
create table closed_sessions (
  session_key bigint primary key,
  tenant_id uuid not null,
  memory_id uuid not null,
  reason text not null,
  at timestamptz not null,
  -- When the last of its events was gone.
  purged_at timestamptz
);
create index closed_sessions_unpurged on closed_sessions (memory_id, session_key) where purged_at is null;

alter table memory_gates
  add column closed_at timestamptz,
  add column purged_at timestamptz,
  -- An expiry that is being given to older events: those before this position, sessions up to this key are done.
  add column pending_expiry_days integer,
  add column pending_expiry_before bigint,
  add column pending_expiry_after bigint;
create index memory_gates_unpurged on memory_gates (memory_id) where closed_at is not null and purged_at is null;
create index memory_gates_pending on memory_gates (memory_id) where pending_expiry_days is not null;

alter table events add column redacted_at timestamptz;
-- Facts of a session that take no number in it, and facts outside of sessions. Messages are in neither index.
create index events_derived on events (session_key) where sequence is null and session_key is not null;
create index events_of_memory on events (memory_id) where session_key is null;
create index events_expiring on events (expires_at) where expires_at is not null;

-- Stored events are never edited, with two exceptions that only the functions below make: a derived event loses what it
-- took from an erased one, and the expiry of a memory's events follows the memory.
drop trigger events_are_never_edited on events;
create trigger events_are_never_edited before truncate or update of
  partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version,
  occurred_at, recorded_at, fingerprint
on events for each statement execute function refuse_change();

create function refuse_unless_meant() returns trigger language plpgsql as $$
begin
  if current_setting('turnkeeper.change', true) is distinct from tg_argv[0] then
    raise exception 'stored events are never edited (% on %)', tg_op, tg_table_name
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger events_are_only_redacted before update of data, redacted_at
on events for each statement execute function refuse_unless_meant('redaction');
create trigger events_keep_their_expiry before update of expires_at
on events for each statement execute function refuse_unless_meant('expiry');

-- Takes the head of the log, as an append does: whoever appends to a session has found its row, or comes after us.
create function lock_log_head() returns void language sql as $$
  select pg_advisory_xact_lock(1414877774, 0);
$$;

-- What the client called a session: hidden ones, for content that was submitted for extraction, carry it behind a mark.
create function session_name(session_id text) returns text language sql immutable parallel safe as $$
  select case when starts_with(session_id, chr(1)) then split_part(session_id, chr(1), 3) else session_id end;
$$;

-- Locks the rows of an actor's sessions, or of one of them, against those who note work for them. Comes first.
create function lock_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text)
returns setof bigint language sql security definer set search_path from current as $$
  select session_key from sessions
  where tenant_id = for_tenant and memory_id = of_memory and actor_id = of_actor
    and (of_session is null or of_session in (session_id, session_name(session_id)))
  order by session_key
  for update;
$$;

-- Closes them: unreadable from the commit on. Comes last, with the append that tells of it.
create function close_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text, why text)
returns setof bigint language plpgsql security definer set search_path from current as $$
begin
  perform lock_log_head();
  return query
  with gone as (
    delete from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and s.actor_id = of_actor
      and (of_session is null or of_session in (s.session_id, session_name(s.session_id)))
    returning s.session_key, s.tenant_id, s.memory_id
  )
  insert into closed_sessions (session_key, tenant_id, memory_id, reason, at)
  select g.session_key, g.tenant_id, g.memory_id, why, clock_timestamp() from gone g
  returning closed_sessions.session_key;
end $$;

-- Deletes one event; a tombstone keeps its place.
create function erase_event(for_tenant uuid, of_session bigint, of_event uuid)
returns void language plpgsql security definer set search_path from current as $$
begin
  perform set_config('turnkeeper.tombstone_reason', 'erased', true);
  delete from events e where e.event_id = of_event and e.tenant_id = for_tenant and e.session_key = of_session;
end $$;

-- Puts a redacted body in the place of a derived event's.
create function redact_event(for_tenant uuid, of_event uuid, redacted json)
returns void language plpgsql security definer set search_path from current as $$
begin
  perform set_config('turnkeeper.change', 'redaction', true);
  update events e set data = redacted, redacted_at = clock_timestamp()
  where e.event_id = of_event and e.tenant_id = for_tenant and e.sequence is null;
  perform set_config('turnkeeper.change', '', true);
end $$;

-- Deletes at most so many events of closed sessions and answers how many; `keys` null: of any. 0 means that none is left.
create function purge_sessions(keys bigint[], most integer)
returns integer language plpgsql security definer set search_path from current as $$
declare
  closed record;
  deleted integer;
  total integer := 0;
begin
  for closed in
    select c.session_key, c.reason from closed_sessions c
    where c.purged_at is null and (keys is null or c.session_key = any (keys))
    order by c.session_key
    for update skip locked
  loop
    exit when total >= most;
    perform set_config('turnkeeper.tombstone_reason', closed.reason, true);
    delete from events e where e.ctid = any (array(
      select i.ctid from events i where i.session_key = closed.session_key and i.sequence is not null limit most - total
    ));
    get diagnostics deleted = row_count;
    total := total + deleted;
    if total < most then
      delete from events e where e.ctid = any (array(
        select i.ctid from events i
        where i.session_key = closed.session_key and i.sequence is null limit most - total
      ));
      get diagnostics deleted = row_count;
      total := total + deleted;
    end if;
    if total < most then
      update closed_sessions c set purged_at = clock_timestamp() where c.session_key = closed.session_key;
    end if;
  end loop;
  return total;
end $$;

-- Deletes at most so many expired events and answers how many.
create function purge_expired(most integer)
returns integer language plpgsql security definer set search_path from current as $$
declare
  total integer;
begin
  perform set_config('turnkeeper.tombstone_reason', 'expired', true);
  delete from events e where e.ctid = any (array(
    select i.ctid from events i where i.expires_at <= clock_timestamp()
    order by i.expires_at limit most for update skip locked
  ));
  get diagnostics total = row_count;
  return total;
end $$;

-- A memory takes nothing more. In the transaction of its memory.deleted, after the append.
create function close_memory(for_tenant uuid, of_memory uuid)
returns void language sql security definer set search_path from current as $$
  update memory_gates set is_open = false, closed_at = clock_timestamp(), pending_expiry_days = null
  where tenant_id = for_tenant and memory_id = of_memory;
$$;

-- Purges deleted memories a step further and answers how many events that took away; null when there is nothing to do.
create function purge_deleted_memories(most integer)
returns integer language plpgsql security definer set search_path from current as $$
declare
  memory uuid;
  keys bigint[];
  total integer;
begin
  select g.memory_id into memory from memory_gates g
  where g.closed_at is not null and g.purged_at is null
  order by g.memory_id limit 1 for update skip locked;
  if memory is null then
    return null;
  end if;
  with gone as (
    delete from sessions s where s.session_key = any (array(
      select i.session_key from sessions i where i.memory_id = memory limit 1000
    ))
    returning s.session_key, s.tenant_id, s.memory_id
  )
  insert into closed_sessions (session_key, tenant_id, memory_id, reason, at)
  select g.session_key, g.tenant_id, g.memory_id, 'memory_deleted', clock_timestamp() from gone g;
  select array_agg(c.session_key) into keys from closed_sessions c where c.memory_id = memory and c.purged_at is null;
  total := purge_sessions(coalesce(keys, '{}'), most);
  if total > 0 or keys is not null then
    return total;
  end if;
  perform set_config('turnkeeper.tombstone_reason', 'memory_deleted', true);
  delete from events e where e.memory_id = memory and e.session_key is null and e.type <> 'memory.deleted';
  get diagnostics total = row_count;
  update memory_gates g set purged_at = clock_timestamp() where g.memory_id = memory;
  return total;
end $$;

-- New events of the memory get this expiry; `before` given: so do those before this position, soon.
create function change_expiry(for_tenant uuid, of_memory uuid, days integer, before bigint)
returns void language sql security definer set search_path from current as $$
  update memory_gates
  set event_expiry_days = days,
      pending_expiry_days = case when before is null then pending_expiry_days else days end,
      pending_expiry_before = coalesce(before, pending_expiry_before),
      pending_expiry_after = case when before is null then pending_expiry_after else 0 end
  where tenant_id = for_tenant and memory_id = of_memory;
$$;

-- Gives a changed expiry to the events of at most so many further sessions; false when there is nothing left to do. What
-- has expired by now stays expired. `of_memory` null: of any memory.
create function apply_expiry(of_memory uuid, most integer)
returns boolean language plpgsql security definer set search_path from current as $$
declare
  gate memory_gates;
  keys bigint[];
begin
  select g.* into gate from memory_gates g
  where g.pending_expiry_days is not null and (of_memory is null or g.memory_id = of_memory)
  order by g.memory_id limit 1 for update skip locked;
  if gate.memory_id is null then
    return false;
  end if;
  perform set_config('turnkeeper.change', 'expiry', true);
  if gate.pending_expiry_after = 0 then
    update events e set expires_at = e.recorded_at + make_interval(hours => 24 * gate.pending_expiry_days)
    where e.memory_id = gate.memory_id and e.session_key is null and e.expires_at > clock_timestamp()
      and e.position < gate.pending_expiry_before;
  end if;
  select array_agg(s.session_key order by s.session_key) into keys from (
    select i.session_key from sessions i
    where i.memory_id = gate.memory_id and i.session_key > gate.pending_expiry_after
    order by i.session_key limit most
  ) s;
  update events e set expires_at = e.recorded_at + make_interval(hours => 24 * gate.pending_expiry_days)
  where e.session_key = any (keys) and e.sequence is not null and e.expires_at > clock_timestamp()
    and e.position < gate.pending_expiry_before;
  update events e set expires_at = e.recorded_at + make_interval(hours => 24 * gate.pending_expiry_days)
  where e.session_key = any (keys) and e.sequence is null and e.expires_at > clock_timestamp()
    and e.position < gate.pending_expiry_before;
  perform set_config('turnkeeper.change', '', true);
  if keys is null then
    update memory_gates g
    set pending_expiry_days = null, pending_expiry_before = null, pending_expiry_after = null
    where g.memory_id = gate.memory_id;
  else
    update memory_gates g set pending_expiry_after = keys[array_upper(keys, 1)] where g.memory_id = gate.memory_id;
  end if;
  return true;
end $$;
