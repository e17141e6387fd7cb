-- Up Migration

-- Category, subject, typed attribute, strength and doubts of a record (`RecordDetails`). One column, because SQL looks
-- only at the attribute. Processes of the previous release ignore it.
alter table records add column details jsonb not null default '{}';
-- The current values of an actor.
create index records_with_attribute on records (memory_id, actor_id)
  where superseded_by is null and details ? 'attribute';
