-- Up Migration

-- What the rules skipped in the windows read so far: counts by reason; null if nothing. For the status of a session.
alter table extraction_states add column skipped jsonb;

