-- Up Migration

-- Where an instance was mapped before it was mapped again. A trigger writes it, so that processes of the previous release
-- do too.
create table replaced_instances (
  nth bigint generated always as identity primary key,
  tenant_id uuid not null,
  connector_id uuid not null references connectors on delete cascade,
  instance_id text not null,
  actor_id text not null,
  session_id text not null,
  replaced_at timestamptz(3) not null default now()
);
create index replaced_instances_by_instance on replaced_instances (connector_id, instance_id, nth);

create function keep_replaced_mapping() returns trigger language plpgsql as $$
begin
  insert into replaced_instances (tenant_id, connector_id, instance_id, actor_id, session_id)
    select c.tenant_id, old.connector_id, old.instance_id, old.actor_id, old.session_id
      from connectors c where c.connector_id = old.connector_id;
  return null;
end $$;

create trigger keep_replaced_mapping after update on connector_instances for each row
  when ((old.actor_id, old.session_id) is distinct from (new.actor_id, new.session_id))
  execute function keep_replaced_mapping();
