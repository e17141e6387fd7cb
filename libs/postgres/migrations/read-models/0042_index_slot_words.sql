-- Up Migration

-- Words that people ask for a record with, beside its own.
alter table records add column keywords text not null default '';
drop index records_by_words;
alter table records drop column words;
alter table records add column words tsvector
  generated always as (to_tsvector('english', text || ' ' || keywords)) stored;
create index records_by_words on records using gin (words);
