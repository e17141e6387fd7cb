-- Up Migration

-- An entry of a B-tree holds at most 2,704 bytes. Namespaces, slots and quotes are texts of the tenant's and may be
-- longer, so they are indexed by their hash; every query names the text as well. The previous release survives this: it
-- finds the same rows, by slower plans.

drop index records_by_fact;
create unique index records_by_fact on records (memory_id, md5(namespace), md5(fact_key)) where superseded_by is null;
drop index records_by_namespace;
create index records_by_namespace on records (memory_id, md5(namespace), created_at desc, record_id);
drop index records_by_slot;
create index records_by_slot on records (memory_id, md5(namespace), md5(slot_key))
  where slot_key is not null and superseded_by is null;

alter table record_sources drop constraint record_sources_pkey;
create unique index record_sources_once on record_sources (record_id, event_id, md5(quote));
