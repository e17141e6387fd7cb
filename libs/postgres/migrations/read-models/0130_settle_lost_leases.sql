-- Up Migration

-- Leases last for seconds and are renewed by the process that works. A claim counts as an attempt when it is made; what
-- a lost process held is settled before anything else is admitted, and these indexes find it. The previous release
-- survives this: it counts attempts when they end.
create index extraction_states_leased on extraction_states (lease_until) where lease_until is not null;
create index webhook_deliveries_leased on webhook_deliveries (lease_until) where lease_until is not null;
-- Claims in a row whose process was lost before it noted an outcome.
alter table webhook_deliveries add column lost_leases integer not null default 0;
