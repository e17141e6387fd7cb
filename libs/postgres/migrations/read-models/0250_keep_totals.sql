-- Up Migration

-- Records and extraction usage per strategy are stored as totals, so that reading them costs the same for any number of
-- records and sessions. As with the counts of the log (migration 0250 of the event store), a transaction that changes
-- what is counted inserts a row into total_changes, and fold_totals adds these rows up: no transaction waits for a
-- counter. A rebuild replaces records in place, so the totals follow it.
--
-- The previous release survives this: it counts rows itself, and triggers record its changes.

create table total_changes (
  tenant_id uuid not null,
  memory_id uuid not null,
  -- Null for records that were inserted without a strategy. All zeros: the memory was deleted.
  strategy_id uuid,
  current_records integer not null default 0,
  superseded_records integer not null default 0,
  records_made bigint not null default 0,
  model_calls bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0
);
create index total_changes_of_memory on total_changes (memory_id);
alter table total_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

create table strategy_totals (
  memory_id uuid not null,
  -- The nil UUID for records without a strategy.
  strategy_id uuid not null,
  tenant_id uuid not null,
  -- Records that exist now.
  current_records bigint not null,
  superseded_records bigint not null,
  -- What extraction has made and used so far. Deleting sessions does not lower these.
  records_made bigint not null,
  model_calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (memory_id, strategy_id)
);

create function total_added_records() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
  select a.tenant_id, a.memory_id, a.strategy_id,
         count(*) filter (where a.superseded_by is null), count(*) filter (where a.superseded_by is not null)
  from added a group by a.tenant_id, a.memory_id, a.strategy_id;
  return null;
end $$;

create function total_deleted_records() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
  select g.tenant_id, g.memory_id, g.strategy_id,
         -count(*) filter (where g.superseded_by is null), -count(*) filter (where g.superseded_by is not null)
  from gone g group by g.tenant_id, g.memory_id, g.strategy_id;
  return null;
end $$;

create function total_changed_records() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
  select c.tenant_id, c.memory_id, c.strategy_id, sum(c.currents), sum(c.supersededs)
  from (
    select n.tenant_id, n.memory_id, n.strategy_id, (n.superseded_by is null)::integer as currents,
           (n.superseded_by is not null)::integer as supersededs from added n
    union all
    select o.tenant_id, o.memory_id, o.strategy_id, -(o.superseded_by is null)::integer,
           -(o.superseded_by is not null)::integer from gone o
  ) c
  group by c.tenant_id, c.memory_id, c.strategy_id
  having sum(c.currents) <> 0 or sum(c.supersededs) <> 0;
  return null;
end $$;

create function total_extraction() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, records_made, model_calls, input_tokens, output_tokens)
  values (
    new.tenant_id, new.memory_id, new.strategy_id, new.records_made - old.records_made,
    new.model_calls - old.model_calls, new.input_tokens - old.input_tokens, new.output_tokens - old.output_tokens
  );
  return null;
end $$;

create function total_deleted_memory() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id) values (old.tenant_id, old.memory_id);
  return null;
end $$;

-- Adds changes to the totals: those of one memory, or of any memory if it is null. Takes at most so many memories, and
-- returns how many it took. Concurrent calls wait for each other: a call is one short transaction without a client in it.
create function fold_totals(of_memory uuid, most integer)
returns integer language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
  lowest constant uuid := coalesce(of_memory, '00000000-0000-0000-0000-000000000000');
  highest constant uuid := coalesce(of_memory, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  memories uuid[];
begin
  if not exists (select from total_changes t where t.memory_id between lowest and highest) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(1414877774, 6);
  select array_agg(p.memory_id) into memories from (
    select distinct t.memory_id from total_changes t
    where t.memory_id between lowest and highest order by t.memory_id limit most
  ) p;
  if memories is null then
    return 0;
  end if;
  with taken as materialized (
    delete from total_changes t where t.memory_id = any (memories) returning t.*
  )
  insert into strategy_totals as s
    (memory_id, strategy_id, tenant_id, current_records, superseded_records, records_made, model_calls, input_tokens,
     output_tokens)
  select t.memory_id, coalesce(t.strategy_id, '00000000-0000-0000-0000-000000000000'), t.tenant_id,
         sum(t.current_records), sum(t.superseded_records), sum(t.records_made), sum(t.model_calls), sum(t.input_tokens),
         sum(t.output_tokens)
  from taken t
  group by t.memory_id, coalesce(t.strategy_id, '00000000-0000-0000-0000-000000000000'), t.tenant_id
  on conflict (memory_id, strategy_id) do update
    set current_records = s.current_records + excluded.current_records,
        superseded_records = s.superseded_records + excluded.superseded_records,
        records_made = s.records_made + excluded.records_made,
        model_calls = s.model_calls + excluded.model_calls,
        input_tokens = s.input_tokens + excluded.input_tokens,
        output_tokens = s.output_tokens + excluded.output_tokens;
  -- A memory's row is deleted last. Changes that are folded after it belong to nothing.
  delete from strategy_totals s
  where s.memory_id = any (memories)
    and (select m.memory_id from memories m where m.memory_id = s.memory_id) is null;
  return array_length(memories, 1);
end $$;

-- Counts all records again. Changes and records are read in one snapshot, so none counts twice.
create function recount_totals() returns void language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(1414877774, 6);
  with taken as (
    delete from total_changes t returning t.*
  ), counted as (
    select r.memory_id, coalesce(r.strategy_id, '00000000-0000-0000-0000-000000000000') as strategy_id, r.tenant_id,
           count(*) filter (where r.superseded_by is null) as currents,
           count(*) filter (where r.superseded_by is not null) as supersededs
    from records r group by 1, 2, 3
  ), used as (
    select t.memory_id, coalesce(t.strategy_id, '00000000-0000-0000-0000-000000000000') as strategy_id, t.tenant_id,
           sum(t.records_made) as made, sum(t.model_calls) as calls, sum(t.input_tokens) as input,
           sum(t.output_tokens) as output
    from taken t group by 1, 2, 3
  ), known as (
    select s.memory_id, s.strategy_id, s.tenant_id from strategy_totals s
    union select c.memory_id, c.strategy_id, c.tenant_id from counted c
    union select u.memory_id, u.strategy_id, u.tenant_id from used u
  )
  insert into strategy_totals as s
    (memory_id, strategy_id, tenant_id, current_records, superseded_records, records_made, model_calls, input_tokens,
     output_tokens)
  select k.memory_id, k.strategy_id, k.tenant_id, coalesce(c.currents, 0), coalesce(c.supersededs, 0),
         coalesce(u.made, 0), coalesce(u.calls, 0), coalesce(u.input, 0), coalesce(u.output, 0)
  from known k
  left join counted c using (memory_id, strategy_id, tenant_id)
  left join used u using (memory_id, strategy_id, tenant_id)
  on conflict (memory_id, strategy_id) do update
    set current_records = excluded.current_records, superseded_records = excluded.superseded_records,
        records_made = s.records_made + excluded.records_made, model_calls = s.model_calls + excluded.model_calls,
        input_tokens = s.input_tokens + excluded.input_tokens, output_tokens = s.output_tokens + excluded.output_tokens;
  delete from strategy_totals s where not exists (select from memories m where m.memory_id = s.memory_id);
end $$;

create trigger total_added_records after insert on records
  referencing new table as added for each statement execute function total_added_records();
create trigger total_deleted_records after delete on records
  referencing old table as gone for each statement execute function total_deleted_records();
create trigger total_changed_records after update on records
  referencing old table as gone new table as added for each statement execute function total_changed_records();
-- Per row and only for these columns: most updates of the table change neither.
create trigger total_extraction after update of records_made, model_calls on extraction_states
  for each row when (new.records_made <> old.records_made or new.model_calls <> old.model_calls) execute function total_extraction();
create trigger total_deleted_memory after delete on memories for each row execute function total_deleted_memory();

-- Progress counts what is pending or parked, not all sessions.
create index extraction_states_waiting on extraction_states (memory_id, strategy_id) where status = 'waiting';

insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
select r.tenant_id, r.memory_id, r.strategy_id,
       count(*) filter (where r.superseded_by is null), count(*) filter (where r.superseded_by is not null)
from records r group by r.tenant_id, r.memory_id, r.strategy_id;
insert into total_changes (tenant_id, memory_id, strategy_id, records_made, model_calls, input_tokens, output_tokens)
select x.tenant_id, x.memory_id, x.strategy_id,
       sum(x.records_made), sum(x.model_calls), sum(x.input_tokens), sum(x.output_tokens)
from extraction_states x
where x.records_made > 0 or x.model_calls > 0
group by x.tenant_id, x.memory_id, x.strategy_id;

-- Calls without notices are deleted after a time.
create index connector_calls_old on connector_calls (updated_at) where due_at is null;
