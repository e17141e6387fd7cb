-- Up Migration

-- When a delivery's bytes were dropped because their time was over; it cannot be sent again.
alter table webhook_deliveries add column purged_at timestamptz(3);
create index webhook_deliveries_kept on webhook_deliveries (created_at) where status <> 'pending' and purged_at is null;

-- Whose call it is, as soon as anything has said so: an erasure finds what came of it by this.
alter table connector_calls add column actor_id text, add column session_id text;
create index connector_calls_by_actor on connector_calls (tenant_id, actor_id) where actor_id is not null;

-- What could not be folded has an end as well.
drop index connector_notices_old;
create index connector_notices_old on connector_notices (received_at) where status in ('folded', 'ignored', 'parked');
