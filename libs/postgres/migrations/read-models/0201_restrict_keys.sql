-- Up Migration

-- A key may be made for one memory, one actor, or both; null reaches all of them. The previous release does not know the
-- columns: while its processes still run, do not make such keys, which it would take for keys of the whole tenant.
alter table api_keys add column memory_id uuid;
alter table api_keys add column actor_id text;
