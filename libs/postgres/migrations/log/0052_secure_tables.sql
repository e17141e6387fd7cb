-- Up Migration

-- Row-level security: the second net under the tenant predicate that every query has (docs/adr). Processes work as one of
-- two roles that own nothing: turnkeeper_app sees the rows of the tenant that its connection names, turnkeeper_system
-- those of all. The previous release survives this: it works as the owner, whom no policy holds back.

-- The tenant that this connection works for; null for none, and then turnkeeper_app sees nothing.
create function current_tenant() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('turnkeeper.tenant', true), '')::uuid;
$$;

-- What functions that run as the owner ask before they do something for a tenant.
create function tenant_allowed(for_tenant uuid) returns boolean language sql stable parallel safe as $$
  select current_setting('role', true) is distinct from 'turnkeeper_app' or for_tenant = current_tenant();
$$;

-- Makes the roles if it may, and secures every table that has a tenant_id. Called after every migration, so that a new
-- table is never forgotten. False when the roles are not there and cannot be made: then the net is missing.
create function secure_tables() returns boolean language plpgsql set search_path from current as $$
declare
  target record;
  -- Written by functions that run as the owner, and by nobody else.
  of_the_log constant text[] := array['events', 'sessions', 'tombstones', 'closed_sessions', 'memory_gates', 'questions'];
  -- Without a tenant, and of no secret.
  shared constant text[] := array['dispatch_cursor', 'question_cursor'];
  -- Looked at before the tenant is known, and by operators.
  system_only constant text[] := array['tenants', 'api_keys'];
begin
  perform pg_advisory_xact_lock(1414877774, 1);
  begin
    if not exists (select from pg_roles where rolname = 'turnkeeper_app') then
      create role turnkeeper_app nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'turnkeeper_system') then
      create role turnkeeper_system nologin;
    end if;
  exception
    -- Another database of this server was quicker; roles are the server's.
    when unique_violation or duplicate_object then null;
    when insufficient_privilege then null;
  end;
  if (select count(*) from pg_roles where rolname in ('turnkeeper_app', 'turnkeeper_system')) < 2 then
    return false;
  end if;
  begin
    for target in select unnest(array['turnkeeper_app', 'turnkeeper_system']) as name loop
      if not pg_has_role(current_user, target.name, 'member') then
        execute format('grant %I to %I', target.name, current_user);
      end if;
    end loop;
  exception when insufficient_privilege then null; -- somebody else has to: processes then say that the net is missing
  end;

  execute format('grant usage on schema %I to turnkeeper_app, turnkeeper_system', current_schema());
  execute format('grant usage on all sequences in schema %I to turnkeeper_app, turnkeeper_system', current_schema());
  for target in
    select c.oid, c.relname as name, c.relrowsecurity as secured, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    ) as of_tenants
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname not like '%\_migrations'
  loop
    if target.name = any (of_the_log) then
      execute format('grant select on %I to turnkeeper_app, turnkeeper_system', target.name);
    else
      execute format('grant select, insert, update, delete on %I to turnkeeper_system', target.name);
      if target.name = any (shared) then
        execute format('grant select on %I to turnkeeper_app', target.name);
      elsif target.of_tenants and target.name <> all (system_only) then
        execute format('grant select, insert, update, delete on %I to turnkeeper_app', target.name);
      end if;
    end if;
    if target.of_tenants and not target.secured then
      execute format('alter table %I enable row level security', target.name);
      execute format('create policy own_rows on %I to turnkeeper_app using (tenant_id = (select current_tenant()))',
                     target.name);
      execute format('create policy all_rows on %I to turnkeeper_system using (true)', target.name);
    end if;
  end loop;
  -- What it takes to lock a session's row for a moment (for key share); the column itself says nothing to anybody.
  execute 'grant update (created_at) on sessions to turnkeeper_system';
  -- Rows that belong to a tenant by what they refer to.
  if exists (select from pg_class where oid = to_regclass('webhook_attempts') and not relrowsecurity) then
    execute 'alter table webhook_attempts enable row level security';
    execute 'create policy own_rows on webhook_attempts to turnkeeper_app
      using (exists (select from webhook_deliveries d where d.delivery_id = webhook_attempts.delivery_id))';
    execute 'create policy all_rows on webhook_attempts to turnkeeper_system using (true)';
    execute 'grant select, insert, delete on webhook_attempts to turnkeeper_app';
  end if;
  -- A function that runs as the owner finds our tables and not somebody's temporary ones.
  for target in
    select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prosecdef
      and not exists (select from unnest(p.proconfig) c where c = format('search_path=%I, pg_temp', current_schema()))
  loop
    execute format('alter function %s set search_path to %I, pg_temp', target.name, current_schema());
  end loop;
  return true;
end $$;

-- The log's functions, which run as the owner, do for turnkeeper_app what its own tenant asks for and nothing else.
create or replace function lock_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text)
returns setof bigint language sql security definer set search_path from current as $$
  select session_key from sessions
  where tenant_id = for_tenant and memory_id = of_memory and actor_id = of_actor
    and (of_session is null or of_session in (session_id, session_name(session_id)))
    and tenant_allowed(for_tenant)
  order by session_key
  for update;
$$;

create or replace function close_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text, why text)
returns setof bigint language plpgsql security definer set search_path from current as $$
begin
  perform lock_log_head();
  return query
  with gone as (
    delete from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and s.actor_id = of_actor
      and (of_session is null or of_session in (s.session_id, session_name(s.session_id)))
      and tenant_allowed(for_tenant)
    returning s.session_key, s.tenant_id, s.memory_id
  )
  insert into closed_sessions (session_key, tenant_id, memory_id, reason, at)
  select g.session_key, g.tenant_id, g.memory_id, why, clock_timestamp() from gone g
  returning closed_sessions.session_key;
end $$;

create or replace function erase_event(for_tenant uuid, of_session bigint, of_event uuid)
returns void language plpgsql security definer set search_path from current as $$
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  perform set_config('turnkeeper.tombstone_reason', 'erased', true);
  delete from events e
  where e.session_key = of_session and e.tenant_id = for_tenant and e.type = 'message.interrupted'
    and e.sequence > (select m.sequence from events m where m.event_id = of_event)
    and e.data ->> 'messageEventId' = of_event::text;
  delete from events e where e.event_id = of_event and e.tenant_id = for_tenant and e.session_key = of_session;
end $$;

create or replace function redact_event(for_tenant uuid, of_event uuid, redacted json)
returns void language plpgsql security definer set search_path from current as $$
begin
  perform set_config('turnkeeper.change', 'redaction', true);
  update events e set data = redacted, redacted_at = clock_timestamp()
  where e.event_id = of_event and e.tenant_id = for_tenant and e.sequence is null and tenant_allowed(for_tenant);
  perform set_config('turnkeeper.change', '', true);
end $$;

create or replace function close_memory(for_tenant uuid, of_memory uuid)
returns void language sql security definer set search_path from current as $$
  update memory_gates set is_open = false, closed_at = clock_timestamp(), pending_expiry_days = null
  where tenant_id = for_tenant and memory_id = of_memory and tenant_allowed(for_tenant);
$$;

create or replace function change_expiry(for_tenant uuid, of_memory uuid, days integer, before bigint)
returns void language sql security definer set search_path from current as $$
  update memory_gates
  set event_expiry_days = days,
      pending_expiry_days = case when before is null then pending_expiry_days else days end,
      pending_expiry_before = coalesce(before, pending_expiry_before),
      pending_expiry_after = case when before is null then pending_expiry_after else 0 end
  where tenant_id = for_tenant and memory_id = of_memory and tenant_allowed(for_tenant);
$$;

-- Appends are for many tenants at once. They are bound by the gate of each memory, which knows its tenant; and nobody but
-- this function writes events.
alter function append_events security definer;
