-- Up Migration

-- The records of events after one position and up to another that have no vector of this model, in the order of the events;
-- one that several events wrote may be listed for each of them. An event whose content was erased names no record, or none
-- that exists. Reads no further than the last record that it lists: with thousands of extracted sessions to embed, reading all
-- of them for each 128 records took the database half a second of CPU instead of milliseconds.
create or replace function list_unembedded_records(of_model integer, after_position bigint, upto_position bigint, most integer)
returns table (at double precision, tenant_id uuid, record_id uuid, text text)
language sql stable security definer set search_path from current
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set enable_material = off set jit = off as $$
  select e.position::float8, r.tenant_id, r.record_id, r.text
  from events e
  cross join lateral json_array_elements(
    case when e.type = 'record.corrected' then json_build_array(json_build_object('recordId', e.data ->> 'recordId'))
         when json_typeof(e.data -> 'records') = 'array' then e.data -> 'records' else '[]' end
  ) i
  cross join lateral (
    select o.tenant_id, o.record_id, o.text from records o
    where o.record_id = (i.value ->> 'recordId')::uuid and o.tenant_id = e.tenant_id limit 1
  ) r
  where e.partition = 0 and e.position > after_position and e.position <= upto_position
    and e.type in ('records.extracted', 'records.inserted', 'records.carried_over', 'record.corrected')
    and not exists (
      select from record_vectors v where v.record_id = r.record_id and v.tenant_id = r.tenant_id and v.model_id = of_model
    )
  order by e.position limit most;
$$;
