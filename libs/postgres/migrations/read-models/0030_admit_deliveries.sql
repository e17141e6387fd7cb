-- Up Migration

-- A delivery that was put into the queue is not put there again before this time. An endpoint has a bounded number of
-- them, so that its backlog waits here and not in front of the others.
alter table webhook_deliveries add column admitted_until timestamptz;
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_admitted on webhook_deliveries (endpoint_id) where admitted_until is not null;

-- Attempts in a row that got no answer in time.
alter table webhook_endpoints add column timeouts integer not null default 0;
