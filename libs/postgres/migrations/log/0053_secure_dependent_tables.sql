-- Up Migration

-- More tables whose rows belong to a tenant by what they refer to.
create or replace function secure_tables() returns boolean language plpgsql set search_path from current as $$
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
  for target in
    select c.oid, t.name, t.parent, t.key
    from (values
      ('webhook_attempts', 'webhook_deliveries', 'delivery_id'),
      ('connector_instances', 'connectors', 'connector_id'),
      ('connector_stamps', 'connectors', 'connector_id')
    ) as t (name, parent, key)
    join pg_class c on c.oid = to_regclass(t.name)
  loop
    execute format('grant select, insert, update, delete on %I to turnkeeper_app', target.name);
    if not exists (select from pg_policies p where p.schemaname = current_schema() and p.tablename = target.name
                     and p.policyname = 'own_rows') then
      execute format('alter table %I enable row level security', target.name);
      execute format('create policy own_rows on %1$I to turnkeeper_app
        using (exists (select from %2$I p where p.%3$I = %1$I.%3$I))', target.name, target.parent, target.key);
      execute format('create policy all_rows on %I to turnkeeper_system using (true)', target.name);
    end if;
  end loop;
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
