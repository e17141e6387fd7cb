-- Up Migration

-- Deliveries of one page of the log are due at the same moment: which of them come first must not change.
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, delivery_id) where due_at is not null;
