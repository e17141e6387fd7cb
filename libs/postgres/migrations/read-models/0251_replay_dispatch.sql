-- Up Migration

-- An event that could not be dispatched can be replayed. The previous release survives this: it lists a requested item
-- as parked until it is resolved.

-- Set while a replay is due.
alter table parked_items add column requested_at timestamptz;
create index parked_items_requested on parked_items (requested_at) where requested_at is not null and resolved_at is null;
