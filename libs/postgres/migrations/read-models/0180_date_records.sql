-- The days that a record speaks of, both included; null where its words tell none.
alter table records
  add column event_from date,
  add column event_to date;
