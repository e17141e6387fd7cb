-- Up Migration

-- During a rolling upgrade, processes of the previous release erase and purge as well. They do not know these rows, so
-- the database removes them.

-- As before, and also removes replaced mappings of the scope (0481).
create or replace function close_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text, why text)
returns setof bigint language plpgsql security definer set search_path from current as $$
begin
  delete from replaced_instances i using connectors c
  where c.connector_id = i.connector_id and c.tenant_id = for_tenant and c.memory_id = of_memory
    and i.actor_id = of_actor and (of_session is null or i.session_id = of_session)
    and tenant_allowed(for_tenant);
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

-- A response may repeat what was sent, so its excerpt goes with the body.
create function forget_responses() returns trigger language plpgsql as $$
begin
  update webhook_attempts a set detail = null
  where a.delivery_id = new.delivery_id and a.status is not null and a.detail is not null;
  return null;
end $$;

create trigger forget_responses after update of body on webhook_deliveries for each row
  when (old.body is not null and new.body is null)
  execute function forget_responses();
