-- Up Migration

-- The owner of the tables creates the roles, but since Postgres 16 it works as them only after granting them to itself.

-- Creates the roles if it has the privilege, grants what they need, and adds policies to every table with a tenant_id.
-- `migrate` calls it after every run, so that no new table is forgotten. Returns false if the roles are missing and
-- cannot be created.
create or replace function secure_tables() returns boolean
language plpgsql set search_path from current as $$
declare
  target record;
  -- Roles that see one tenant at a time. The second one is missing where the owner of the tables may not create it.
  of_tenant text := 'turnkeeper_app';
  has_restricted boolean;
  -- To work as a role. Since Postgres 16 a member may lack it, such as the login that creates the role.
  assume constant text := case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end;
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
      if not pg_has_role(current_user, target.name, assume) then
        execute format('grant %I to %I', target.name, current_user);
      end if;
    end loop;
  exception
    when insufficient_privilege then null; -- left to an operator
    when unique_violation or internal_error then null; -- another database of this server does the same
  end;
  -- A login that may work as the application may also work for a restricted key. Without inheritance, because the
  -- policies of one role would otherwise be added to those of the other.
  begin
    if has_restricted and not pg_has_role('turnkeeper_app', 'turnkeeper_restricted', assume) then
      alter role turnkeeper_app noinherit;
      grant turnkeeper_restricted to turnkeeper_app;
    end if;
  exception
    when insufficient_privilege then null;
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
        using (exists (select from %2$I p where p.%3$I = %1$I.%3$I)%4$s)', target.name, target.parent, target.key,
        reach_condition(target.oid));
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
