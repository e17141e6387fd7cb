-- Up Migration

-- Policies of `turnkeeper_restricted` for tables whose rows name no memory or no actor: a key of one memory saw the turns
-- and the callbacks of others, and a key of one actor the items of graph stores, callbacks and deliveries. Processes of the
-- previous release survive this.
set local lock_timeout = '5s';

create or replace function reach_condition(of_table oid) returns text language plpgsql stable set search_path from current as $$
declare
  name constant text := (select relname from pg_class where oid = of_table);
  has constant text[] := (
    select array_agg(attname::text) from pg_attribute where attrelid = of_table and attnum > 0 and not attisdropped
  );
  condition text := '';
begin
  -- May hold the words of any actor. No request of a key of one actor reads them.
  if name in ('connector_notices', 'graph_items', 'webhook_deliveries') then
    condition := ' and (select reach_actor()) is null';
  end if;
  if name = 'webhook_deliveries' then
    return condition || ' and ((select reach_memory()) is null or memory_id = (select reach_memory()) or (memory_id is null
      and exists (select from events e where e.tenant_id = webhook_deliveries.tenant_id and e.event_id = cause_event_id)))';
  end if;
  if 'memory_id' = any (has) then
    -- A key that was used for another memory must stay known. The answers are encrypted.
    if name <> 'idempotent_requests' then
      condition := condition || ' and ((select reach_memory()) is null or memory_id = (select reach_memory()))';
    end if;
  elsif 'connector_id' = any (has) then
    condition := condition || format(
      ' and exists (select from connectors c where c.connector_id = %I.connector_id)', name);
  elsif name in ('turns', 'turn_vectors') then
    return format(' and exists (select from sessions s where s.session_key = %I.session_key)', name);
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

do $do$
declare
  target record;
  body text;
begin
  for target in
    select c.oid, c.relname as name from pg_policies p
    join pg_class c on c.relname = p.tablename and c.relnamespace = p.schemaname::regnamespace
    where p.schemaname = current_schema() and p.policyname = 'reached_rows'
      and c.relname in ('connector_calls', 'connector_notices', 'graph_items', 'replaced_instances', 'turn_vectors', 'turns',
                        'webhook_deliveries')
  loop
    execute format('alter policy reached_rows on %I using (tenant_id = (select current_tenant())%s)', target.name,
                   reach_condition(target.oid));
  end loop;
  -- Rows of connectors without a tenant of their own: mappings of instances name an actor.
  if to_regclass('connector_instances') is not null and exists (
    select from pg_policies where schemaname = current_schema() and tablename = 'connector_instances'
      and policyname = 'reached_rows'
  ) then
    execute format('alter policy reached_rows on connector_instances using (true%s)',
                   reach_condition('connector_instances'::regclass));
  end if;
  select pg_get_functiondef(p.oid) into strict body from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.proname = 'secure_tables';
  execute replace(body, $x$create policy reached_rows on %1$I to turnkeeper_restricted
        using (exists (select from %2$I p where p.%3$I = %1$I.%3$I))', target.name, target.parent, target.key)$x$,
                  $y$create policy reached_rows on %1$I to turnkeeper_restricted
        using (exists (select from %2$I p where p.%3$I = %1$I.%3$I)%4$s)', target.name, target.parent, target.key,
        reach_condition(target.oid))$y$);
end $do$;
