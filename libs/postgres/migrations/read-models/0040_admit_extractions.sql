-- Up Migration

-- A session that was put into the queue is not put there again before this time. A tenant has a bounded number of
-- them, so that its backlog waits here and not in front of the others.
alter table extraction_states add column admitted_until timestamptz;
drop index extraction_states_due;
create index extraction_states_due on extraction_states (tenant_id, due_at) where due_at is not null;
create index extraction_states_admitted on extraction_states (tenant_id) where admitted_until is not null;
