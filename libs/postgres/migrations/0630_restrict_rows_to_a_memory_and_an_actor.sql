-- Up Migration

-- Requests with a key of one memory or one actor work as a role of their own, whose policies also compare the memory and
-- the actor of a row. The policies of `turnkeeper_app` stay as they are, and so do the plans of all other requests.

create function reach_memory() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('turnkeeper.memory', true), '')::uuid;
$$;

create function reach_actor() returns text language sql stable parallel safe as $$
  select nullif(current_setting('turnkeeper.actor', true), '');
$$;

create or replace function tenant_allowed(for_tenant uuid) returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('role', true), '') not in ('turnkeeper_app', 'turnkeeper_restricted')
      or for_tenant = current_tenant();
$$;

create function reach_allowed(for_tenant uuid, of_memory uuid) returns boolean language sql stable parallel safe as $$
  select tenant_allowed(for_tenant)
     and (current_setting('role', true) is distinct from 'turnkeeper_restricted'
          or reach_memory() is null or of_memory = reach_memory());
$$;

-- Functions that read past the policies check the tenant; those for one memory check the memory too.
do $do$
declare
  target record;
begin
  for target in
    select p.oid, pg_get_functiondef(p.oid) as text from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prosecdef
      and p.prosrc like '%tenant_allowed(for_tenant)%' and p.proargnames @> array['for_tenant', 'of_memory']
  loop
    execute replace(target.text, 'tenant_allowed(for_tenant)', 'reach_allowed(for_tenant, of_memory)');
  end loop;
  select pg_get_functiondef(p.oid) as text into strict target from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.proname = 'append_batch';
  execute replace(target.text, $x$current_setting('role', true) = 'turnkeeper_app'$x$,
                  $x$current_setting('role', true) in ('turnkeeper_app', 'turnkeeper_restricted')$x$);
end $do$;

-- What a policy of `turnkeeper_restricted` requires of a row beside its tenant. A row without a memory or an actor, such
-- as a webhook endpoint, belongs to the tenant.
create function reach_condition(of_table oid) returns text language plpgsql stable set search_path from current as $$
declare
  name constant text := (select relname from pg_class where oid = of_table);
  has constant text[] := (
    select array_agg(attname::text) from pg_attribute where attrelid = of_table and attnum > 0 and not attisdropped
  );
  condition text := '';
begin
  if 'memory_id' = any (has) and name not in ('idempotent_requests', 'webhook_deliveries') then
    condition := ' and ((select reach_memory()) is null or memory_id = (select reach_memory()))';
  end if;
  if 'actor_id' = any (has) then
    return condition || ' and ((select reach_actor()) is null or actor_id = (select reach_actor()))';
  end if;
  if 'session_key' = any (has) and name not in ('closed_sessions', 'buried_sequences') then
    condition := condition || format(
      ' and ((select reach_actor()) is null or exists (select from sessions s where s.session_key = %I.session_key))', name);
  elsif 'thread_key' = any (has) then
    condition := condition || format(' and exists (select from graph_threads t where t.thread_key = %I.thread_key)', name);
  end if;
  if 'record_id' = any (has) and 'memory_id' <> all (has) then
    condition := condition || format(
      ' and exists (select from records r where r.record_id = %1$I.record_id and r.tenant_id = %1$I.tenant_id)', name);
  end if;
  return condition;
end $$;

create or replace function secure_tables() returns boolean
language plpgsql set search_path from current as $$
declare
  target record;
  -- Roles that see one tenant at a time. The second one is missing where the owner of the tables may not create it.
  of_tenant text := 'turnkeeper_app';
  has_restricted boolean;
  -- Written only by functions that run as the owner.
  of_the_log constant text[] := array['events', 'sessions', 'tombstones', 'closed_sessions', 'memory_gates', 'questions'];
  -- Without a tenant and without secrets.
  shared constant text[] := array['dispatch_cursor', 'question_cursor'];
  -- Read before the tenant is known, and by operators.
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
    if not exists (select from pg_roles where rolname = 'turnkeeper_restricted') then
      create role turnkeeper_restricted nologin;
    end if;
  exception
    -- Another database of this server created them first: roles belong to the server.
    when unique_violation or duplicate_object then null;
    when insufficient_privilege then null;
  end;
  if (select count(*) from pg_roles where rolname in ('turnkeeper_app', 'turnkeeper_system')) < 2 then
    return false;
  end if;
  has_restricted := exists (select from pg_roles where rolname = 'turnkeeper_restricted');
  if has_restricted then
    of_tenant := 'turnkeeper_app, turnkeeper_restricted';
  end if;
  begin
    for target in select unnest(array['turnkeeper_app', 'turnkeeper_system']) as name loop
      if not pg_has_role(current_user, target.name, 'member') then
        execute format('grant %I to %I', target.name, current_user);
      end if;
    end loop;
  exception when insufficient_privilege then null; -- left to an operator
  end;
  -- A login that may work as the application may also work for a restricted key. Without inheritance, because the
  -- policies of one role would otherwise be added to those of the other.
  begin
    if has_restricted and not pg_has_role('turnkeeper_app', 'turnkeeper_restricted', 'member') then
      alter role turnkeeper_app noinherit;
      grant turnkeeper_restricted to turnkeeper_app;
    end if;
  exception
    when insufficient_privilege then null; -- left to an operator
    -- Another database of this server does the same: roles belong to the server.
    when unique_violation or internal_error then null;
  end;

  execute format('grant usage on schema %I to turnkeeper_system, %s', current_schema(), of_tenant);
  execute format('grant usage on all sequences in schema %I to turnkeeper_system, %s', current_schema(), of_tenant);
  for target in
    select c.oid, c.relname as name, c.relrowsecurity as secured, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    ) as of_tenants
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname not like '%\_migrations'
  loop
    if target.name = any (of_the_log) then
      execute format('grant select on %I to turnkeeper_system, %s', target.name, of_tenant);
    else
      execute format('grant select, insert, update, delete on %I to turnkeeper_system', target.name);
      if target.name = any (shared) then
        execute format('grant select on %I to %s', target.name, of_tenant);
      elsif target.of_tenants and target.name <> all (system_only) then
        execute format('grant select, insert, update, delete on %I to %s', target.name, of_tenant);
      end if;
    end if;
    if target.of_tenants and not target.secured then
      execute format('alter table %I enable row level security', target.name);
      execute format('create policy own_rows on %I to turnkeeper_app using (tenant_id = (select current_tenant()))',
                     target.name);
      execute format('create policy all_rows on %I to turnkeeper_system using (true)', target.name);
    end if;
    if has_restricted and target.of_tenants and target.name <> all (system_only)
      and not exists (select from pg_policies p where p.schemaname = current_schema() and p.tablename = target.name
                        and p.policyname = 'reached_rows') then
      execute format('create policy reached_rows on %I to turnkeeper_restricted using (tenant_id = (select current_tenant())%s)',
                     target.name, reach_condition(target.oid));
    end if;
  end loop;
  -- Required to lock a session's row (`for key share`). The column has no meaning for anyone.
  execute 'grant update (created_at) on sessions to turnkeeper_system';
  -- Rows that belong to a tenant through the row that they reference.
  for target in
    select c.oid, t.name, t.parent, t.key
    from (values
      ('webhook_attempts', 'webhook_deliveries', 'delivery_id'),
      ('connector_instances', 'connectors', 'connector_id'),
      ('connector_stamps', 'connectors', 'connector_id')
    ) as t (name, parent, key)
    join pg_class c on c.oid = to_regclass(t.name)
  loop
    execute format('grant select, insert, update, delete on %I to %s', target.name, of_tenant);
    if not exists (select from pg_policies p where p.schemaname = current_schema() and p.tablename = target.name
                     and p.policyname = 'own_rows') then
      execute format('alter table %I enable row level security', target.name);
      execute format('create policy own_rows on %1$I to turnkeeper_app
        using (exists (select from %2$I p where p.%3$I = %1$I.%3$I))', target.name, target.parent, target.key);
      execute format('create policy all_rows on %I to turnkeeper_system using (true)', target.name);
    end if;
    if has_restricted and not exists (select from pg_policies p where p.schemaname = current_schema()
                                        and p.tablename = target.name and p.policyname = 'reached_rows') then
      execute format('create policy reached_rows on %1$I to turnkeeper_restricted
        using (exists (select from %2$I p where p.%3$I = %1$I.%3$I))', target.name, target.parent, target.key);
    end if;
  end loop;
  -- A function that runs as the owner must find our tables, not temporary tables of the caller.
  for target in
    select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prosecdef
      and not exists (select from unnest(p.proconfig) c where c = format('search_path=%I, pg_temp', current_schema()))
  loop
    execute format('alter function %s set search_path to %I, pg_temp', target.name, current_schema());
  end loop;
  return true;
end $$;
