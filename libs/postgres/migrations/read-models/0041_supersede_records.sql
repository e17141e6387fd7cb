-- Up Migration

-- What a record fills in where only one value can be true at a time, and when it was last stated.
alter table records add column stated_at timestamptz;
update records set stated_at = created_at;
alter table records alter column stated_at set not null;
alter table records add column slot_key text;
alter table records add column slot_value text;

-- A fact that was superseded may be stated anew: one row per fact that is current.
drop index records_by_fact;
create unique index records_by_fact on records (memory_id, namespace, md5(fact_key)) where superseded_by is null;
create index records_by_slot on records (memory_id, namespace, slot_key)
  where slot_key is not null and superseded_by is null;
create index records_superseded on records (superseded_by) where superseded_by is not null;
