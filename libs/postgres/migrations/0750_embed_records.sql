-- Up Migration

-- Every record has a vector, so that a search finds it by its meaning. Written behind the log like the vectors of turns,
-- at a pace of its own: records are few.
set local lock_timeout = '5s';
alter table embedding_models
  add column records_position bigint not null default 0,
  add column records_complete boolean not null default false;

create table record_vectors (
  record_id uuid not null,
  tenant_id uuid not null,
  model_id integer not null references embedding_models(model_id) on delete cascade,
  -- Its memory and namespace: see `vector_scope`.
  scope bigint not null,
  -- One signed byte per dimension.
  vector bytea not null,
  -- Processes hold the vectors of a scope in memory, and read those that were written since.
  written xid8 not null default pg_current_xact_id(),
  primary key (record_id, tenant_id, model_id),
  foreign key (record_id, tenant_id) references records(record_id, tenant_id) on delete cascade
);
create index record_vectors_by_scope on record_vectors (scope, model_id, written);
create index record_vectors_of_model on record_vectors (model_id);

create function vector_scope(of_memory uuid, in_namespace text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(of_memory::text || in_namespace, 0);
$$;

-- The records of events after one position and up to another that have no vector of this model. An event whose content
-- was erased names no record, or none that exists.
create function list_unembedded_records(of_model integer, after_position bigint, upto_position bigint, most integer)
returns table (at double precision, tenant_id uuid, record_id uuid, text text)
language sql stable security definer set search_path from current as $$
  with changed as materialized (
    select e.position, e.tenant_id, case when e.type = 'record.corrected' then json_build_array(json_build_object('recordId', e.data ->> 'recordId'))
           when json_typeof(e.data -> 'records') = 'array' then e.data -> 'records' else '[]' end as records
    from events e
    where e.partition = 0 and e.position > after_position and e.position <= upto_position
      and e.type in ('records.extracted', 'records.inserted', 'records.carried_over', 'record.corrected')
  ), ids as materialized (
    select max(c.position) as at, c.tenant_id, (i.value ->> 'recordId')::uuid as record_id
    from changed c cross join lateral json_array_elements(c.records) i group by c.tenant_id, i.value ->> 'recordId'
  )
  select i.at::float8, r.tenant_id, r.record_id, r.text
  from ids i cross join lateral (
    select o.tenant_id, o.record_id, o.text from records o
    where o.record_id = i.record_id and o.tenant_id = i.tenant_id limit 1
  ) r
  where not exists (
    select from record_vectors v where v.record_id = r.record_id and v.tenant_id = r.tenant_id and v.model_id = of_model
  )
  order by i.at, r.record_id limit most;
$$;

-- Stores vectors of records whose text is still the one that was embedded: [{tenant, record, text, vector}], in base64.
create function keep_record_vectors(of_model integer, vectors json) returns void
language sql security definer set search_path from current as $$
  with held as materialized (
    -- Locked until the commit: a correction in progress is waited for, and a later one deletes what is written here.
    select r.record_id, r.tenant_id, r.memory_id, r.namespace, v.vector
    from json_to_recordset(vectors) as v (tenant uuid, record uuid, text text, vector text)
    join records r on r.record_id = v.record and r.tenant_id = v.tenant and r.text = v.text
    for share of r
  )
  insert into record_vectors (record_id, tenant_id, model_id, scope, vector)
  select h.record_id, h.tenant_id, of_model, vector_scope(h.memory_id, h.namespace), decode(h.vector, 'base64') from held h
  on conflict (record_id, tenant_id, model_id) do update set vector = excluded.vector, written = excluded.written;
$$;
