-- Up Migration

-- A deleted tenant keeps its row without its name, so that its id is never given out again and the deletion can be repeated.
-- The previous release survives this: the keys of a deleted tenant are gone.
alter table tenants add column deleted_at timestamptz;
