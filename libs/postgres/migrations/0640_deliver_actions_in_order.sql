-- Up Migration

-- Deliveries about one agent that must arrive in order have their place here; null: any order. Processes of the previous
-- release do not fill it in, so their deliveries arrive in any order.
set local lock_timeout = '5s';
alter table webhook_deliveries add column agent_place bigint;
create index webhook_deliveries_in_order on webhook_deliveries (endpoint_id, agent_id, agent_place)
  where agent_place is not null and status = 'pending';
