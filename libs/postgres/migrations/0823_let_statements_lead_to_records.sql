-- Up Migration

-- Changes a part of a function, which must be there once.
create or replace function pg_temp.edit(name regprocedure, before text, after text) returns void language plpgsql as $$
declare
  source constant text := pg_get_functiondef(name);
begin
  if length(source) - length(replace(source, before, '')) <> length(before) then
    raise exception '% does not contain this once: %', name, before;
  end if;
  execute replace(source, before, after);
end $$;

-- What an answer quotes of the question before it is a source too. A turn that asks something led to every record that
-- answered it, however old.
select pg_temp.edit('find_citing_records(uuid, uuid, text, text, boolean, bigint[], bigint[], uuid[])',
  'i.tenant_id = for_tenant
      offset 0', 'i.tenant_id = for_tenant
        and not i.is_context
      offset 0');
