-- Up Migration

set local lock_timeout = '5s';
create unique index if not exists record_sources_by_tenant on record_sources (record_id, event_id, md5(quote), tenant_id);
