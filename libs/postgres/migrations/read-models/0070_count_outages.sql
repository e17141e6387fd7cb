-- Up Migration

-- Tries of a window in a row to which nobody answered. They say nothing about the window, so they are not among its
-- attempts, and far more of them are made before it is parked. The previous release survives this: it counts them as
-- attempts.
alter table extraction_states add column outage_tries integer not null default 0;
