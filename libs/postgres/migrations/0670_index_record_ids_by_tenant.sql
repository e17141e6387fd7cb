-- Up Migration

-- A record id is unique within its tenant: an import may bring ids that another tenant has, or will have.
-- On a large table, build this index and that of 0671 beforehand, beside the running processes (docs/operate/upgrade.md):
-- these statements then do nothing. Fails rather than make writers queue behind a long backup.
set local lock_timeout = '5s';
create unique index if not exists records_by_tenant on records (record_id, tenant_id);
