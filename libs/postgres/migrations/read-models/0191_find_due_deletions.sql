-- Up Migration

-- What has to be deleted is found without reading what is kept. A delivery knows the memory of its agent, so those of
-- memories that keep their events for a short time are found by their age. The previous release survives this: a trigger
-- fills the column in for it.
alter table webhook_deliveries add column memory_id uuid;
update webhook_deliveries d set memory_id = a.memory_id from agents a
 where a.agent_id = d.agent_id and d.purged_at is null;
create index webhook_deliveries_kept_of_memory on webhook_deliveries (memory_id, created_at)
  where status <> 'pending' and purged_at is null and memory_id is not null;
create index memories_by_expiry on memories (event_expiry_duration);

create function set_delivery_memory() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.memory_id is null and new.agent_id is not null then
    select a.memory_id into new.memory_id from agents a where a.agent_id = new.agent_id;
  end if;
  return new;
end $$;
create trigger set_delivery_memory before insert on webhook_deliveries
  for each row execute function set_delivery_memory();

create index parked_notes_dropped on parked_notes (dropped_at) where dropped_at is not null;
