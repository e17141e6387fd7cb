-- Up Migration

-- Reads both tables once; reads and writes of them go on.
alter table record_sources validate constraint record_sources_record_id_fkey;
