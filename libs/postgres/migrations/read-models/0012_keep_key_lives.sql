-- Up Migration

-- The previous release survives this: the new columns have defaults or may be null.
alter table tenants add column requests_per_second integer check (requests_per_second > 0);
alter table api_keys add column replaced_by text;
create index api_keys_by_tenant on api_keys (tenant_id, created_at desc);
