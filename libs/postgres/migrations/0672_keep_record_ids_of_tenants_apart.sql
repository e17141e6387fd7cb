-- Up Migration

-- Only names are swapped: the indexes exist, and existing rows satisfy the foreign key, which 0673 verifies.
-- Records first, as by every statement that writes both.
set local lock_timeout = '5s';
lock table records, record_sources in access exclusive mode;
alter table record_sources drop constraint record_sources_record_id_fkey;
alter table records drop constraint records_pkey, add constraint records_pkey primary key using index records_by_tenant;
drop index record_sources_once;
alter index record_sources_by_tenant rename to record_sources_once;
alter table record_sources add constraint record_sources_record_id_fkey
  foreign key (record_id, tenant_id) references records (record_id, tenant_id) on delete cascade not valid;

-- The functions that search records are long, and only their look-ups by id change: of the tenant they are called for.
do $do$
declare
  definition text;
begin
  for definition in
    select pg_get_functiondef(p.oid) from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and 'for_tenant' = any (p.proargnames)
      and p.prosrc ~ 'from (records i|record_sources s) where [is]\.record_id = '
  loop
    definition := regexp_replace(definition, '(from records i where i\.record_id = [a-z_.]+) limit 1',
                                 '\1 and i.tenant_id = for_tenant limit 1', 'g');
    definition := regexp_replace(definition, '(from record_sources s where s\.record_id = [a-z_.]+)\)',
                                 '\1 and s.tenant_id = for_tenant)', 'g');
    execute definition;
  end loop;
end $do$;
