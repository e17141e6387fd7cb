-- Up Migration

-- The append decides by itself, and whoever appends sends the commit with it (docs/adr/0110).
--
-- * An append through an agent is refused once the agent's end is in the log, whoever appended it and wherever. The log
--   itself is asked: a partial index finds the end.
-- * Event ids are unique within a tenant. An id that another tenant has is neither taken nor seen.
-- * A connection of the role turnkeeper_app appends for the tenant that it names, as it reads for it.
-- * What a memory's own facts change (open, closed, expiry) is part of the append, and nothing else locks these rows.
--
-- The previous release survives this: it finds append_batch as it called it. It looks events up by their id alone, which
-- takes longer now.

alter table events drop constraint events_event_id_key;
alter table events add constraint events_event_id_key unique (tenant_id, event_id);

create index events_agent_ends on events ((well_formed(data) ->> 'agentId'))
  where type in ('agent.stopped', 'agent.failed');

-- Changed expiries that older events have yet to get; the newest of a memory counts. Events before this position get it,
-- session by session: what is done is where the next go begins.
create table expiry_changes (
  memory_id uuid not null,
  before bigint not null,
  days integer not null check (days between 1 and 365),
  after_session bigint not null default 0,
  after_sequence bigint not null default 0,
  primary key (memory_id, before)
);
insert into expiry_changes (memory_id, before, days, after_session)
select memory_id, pending_expiry_before, pending_expiry_days, pending_expiry_after from memory_gates
where pending_expiry_days is not null;
drop index memory_gates_pending;
alter table memory_gates drop column pending_expiry_days, drop column pending_expiry_before,
  drop column pending_expiry_after;

-- A batch is stored as a whole, or the answer says which of its requests stand in the way and nothing is stored. Arrays
-- of the first group have an element per request, those of the second an element per event, in request order. Two
-- requests of a batch must not share an event id, nor a session where one of them expects a sequence.
--
-- Writers are serialised by a lock that is taken first; the statements after it have snapshots in which all earlier
-- batches are committed (READ COMMITTED, a volatile function). So "newest position + 1" is dense and in commit order.
-- Nothing under the lock scans, or waits for a row that another transaction may hold.
--
-- Answers {"head", "at", "newest", "waited"} when all is stored: head is the log's newest position before the batch, whose
-- events follow it in their order; newest has, per request, the newest sequence of its session before the batch, which
-- numbered events follow; at is when, in milliseconds; waited is how long for the lock, in milliseconds. Answers
-- {"judgements", "waited"} when nothing is stored: per request null, or what stands in the way: {"outcome": "duplicate",
-- "position", "sequence", "at"} with the first answer, {"outcome": "sequence_conflict", "sequence"} with the session's
-- newest, {"outcome": "agent_ended", "status"}, or {"outcome"} that is idempotency_mismatch, memory_not_found or
-- memory_exists.
create function append_batch(
  tenant_ids uuid[],
  memory_ids uuid[],
  actor_ids text[],
  session_ids text[],
  -- Null where the client did not say.
  expected_sequences bigint[],
  fingerprints text[],
  event_counts integer[],
  -- The first event is memory.created.
  creating boolean[],
  -- The agent that the request goes through, and its status as the caller read it; null for none.
  agent_ids uuid[],
  agent_statuses text[],
  -- The request's first event id; null where it was made for this request, which then cannot be stored already.
  ids_to_look_up uuid[],
  -- Number of the request, from 1.
  event_requests integer[],
  -- Place among the batch's events of its session, from 1; null where it takes no number there.
  session_places integer[],
  event_ids uuid[],
  types text[],
  schema_versions smallint[],
  expiring boolean[],
  occurred_ats timestamptz[],
  -- The request's, at its first event. In the array above, each would have to be walked to.
  event_fingerprints text[],
  -- A JSON array: one element per event, kept verbatim.
  data json,
  -- When the events are recorded; null for now. Given where rows were stamped with it before.
  recorded timestamptz
)
returns json language plpgsql security definer set search_path from current
-- One plan for all batches, made of index lookups: it neither depends on statistics nor on the batch it was made for.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
declare
  asked constant timestamptz := clock_timestamp();
  waited double precision;
  stamp timestamptz;
  head bigint;
  -- What stands in the way of each request; null for nothing.
  judgements json[];
  -- Arrays that are indexed per event hold no nulls: then an element is found without walking. 0 stands for none.
  session_keys bigint[];
  newest bigint[];
  expiry_days integer[];
  all_good boolean;
  opening boolean;
begin
  if current_setting('role', true) = 'turnkeeper_app'
    and exists (select from unnest(tenant_ids) as t (id) where t.id is distinct from current_tenant()) then
    raise exception 'this connection works for another tenant' using errcode = 'insufficient_privilege';
  end if;

  -- 'TURN' and the partition.
  perform pg_advisory_xact_lock(1414877774, 0);
  waited := extract(epoch from clock_timestamp() - asked) * 1000;
  stamp := coalesce(recorded, date_trunc('milliseconds', clock_timestamp()));

  -- Aggregated in the order in which unnest gives the requests: nothing here changes it.
  select
    array_agg(q.judgement), array_agg(coalesce(q.session_key, 0)), array_agg(q.newest), array_agg(coalesce(q.expiry_days, 0)),
    bool_and(q.judgement is null), bool_or(q.session_key is null and q.session_id is not null),
    greatest(
      (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
      (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
      0
    )
  into judgements, session_keys, newest, expiry_days, all_good, opening, head
  from (
    select
      r.session_id, r.session_key, r.newest, r.expiry_days,
      case
        when r.stored_position is not null then (
          select case
            when (e.tenant_id, e.memory_id) is distinct from (r.tenant_id, r.memory_id)
              or e.session_key is distinct from r.session_key then json_build_object('outcome', 'idempotency_mismatch')
            when case
              when r.fingerprint is not null then decode(r.fingerprint, 'hex') is not distinct from e.fingerprint
              else (
                select array_agg((s.event_id, s.type) order by s.position)
                from events s
                where s.partition = 0 and s.position between e.position and e.position + r.event_count - 1
              ) = (
                select array_agg((g.event_id, g.type) order by g.n)
                from unnest(event_requests, event_ids, types) with ordinality as g (request, event_id, type, n)
                where g.request = r.n
              )
            end then json_build_object(
              'outcome', 'duplicate', 'position', e.position, 'sequence', e.sequence,
              'at', extract(epoch from e.recorded_at) * 1000
            )
            else json_build_object('outcome', 'idempotency_mismatch')
          end
          from events e where e.partition = 0 and e.position = r.stored_position
        )
        when r.creating then (
          select case
            when count(*) = 0 then null
            when bool_or(g.tenant_id = r.tenant_id) then json_build_object('outcome', 'memory_exists')
            else json_build_object('outcome', 'memory_not_found')
          end
          from memory_gates g where g.memory_id = r.memory_id
        )
        when r.expiry_days is null then json_build_object('outcome', 'memory_not_found')
        when r.agent_status <> 'RUNNING' then json_build_object('outcome', 'agent_ended', 'status', r.agent_status)
        when r.ended_by is not null then json_build_object(
          'outcome', 'agent_ended', 'status', case r.ended_by when 'agent.failed' then 'FAILED' else 'STOPPED' end
        )
        when r.expected_sequence <> r.newest then json_build_object('outcome', 'sequence_conflict', 'sequence', r.newest)
      end as judgement
    from (
      select
        k.*,
        coalesce(greatest(
          (select e.sequence from events e
           where e.session_key = k.session_key and e.sequence is not null order by e.sequence desc limit 1),
          (select t.sequence from tombstones t
           where t.session_key = k.session_key and t.sequence is not null order by t.sequence desc limit 1)
        ), 0) as newest
      from (
        select
          u.*,
          (select e.position from events e
           where e.tenant_id = u.tenant_id and e.event_id = u.id_to_look_up) as stored_position,
          -- Null while the agent is running.
          case when u.agent_id is not null then (
            select e.type from events e
            where e.type in ('agent.stopped', 'agent.failed') and well_formed(e.data) ->> 'agentId' = u.agent_id::text
              and e.tenant_id = u.tenant_id
            limit 1
          ) end as ended_by,
          -- Null when there is no such memory, or none that takes events.
          (select g.event_expiry_days from memory_gates g
           where g.memory_id = u.memory_id and g.tenant_id = u.tenant_id and g.is_open) as expiry_days,
          (select s.session_key from sessions s
           where s.memory_id = u.memory_id and s.actor_id = u.actor_id and s.session_id = u.session_id) as session_key
        from unnest(
          tenant_ids, memory_ids, actor_ids, session_ids, expected_sequences, fingerprints,
          event_counts, creating, agent_ids, agent_statuses, ids_to_look_up
        ) with ordinality as u (
          tenant_id, memory_id, actor_id, session_id, expected_sequence, fingerprint,
          event_count, creating, agent_id, agent_status, id_to_look_up, n
        )
        -- Fences: what is looked up is looked up once, not wherever it is named.
        offset 0
      ) k
      offset 0
    ) r
  ) q;

  if not all_good then
    return json_build_object('judgements', array_to_json(judgements), 'waited', waited);
  end if;

  if opening then
    insert into sessions (tenant_id, memory_id, actor_id, session_id, created_at)
    select u.tenant_id, u.memory_id, u.actor_id, u.session_id, stamp
    from unnest(tenant_ids, memory_ids, actor_ids, session_ids, session_keys) with ordinality
      as u (tenant_id, memory_id, actor_id, session_id, session_key, n)
    where u.session_key = 0 and u.session_id is not null
    group by u.tenant_id, u.memory_id, u.actor_id, u.session_id
    order by min(u.n);

    select array_agg(coalesce(
      (select s.session_key from sessions s
       where s.memory_id = u.memory_id and s.actor_id = u.actor_id and s.session_id = u.session_id), 0))
    into session_keys
    from unnest(memory_ids, actor_ids, session_ids) as u (memory_id, actor_id, session_id);
  end if;

  insert into events (
    partition, position, event_id, tenant_id, memory_id, session_key, sequence,
    type, schema_version, data, occurred_at, recorded_at, expires_at, fingerprint
  )
  select
    0, head + e.n, e.event_id, tenant_ids[e.request], memory_ids[e.request], nullif(session_keys[e.request], 0),
    newest[e.request] + e.session_place,
    e.type, e.schema_version, e.data, e.occurred_at, stamp,
    case when e.expiring then stamp + make_interval(hours => 24 * nullif(expiry_days[e.request], 0)) end,
    decode(e.fingerprint, 'hex')
  from rows from (
    unnest(event_requests), unnest(session_places), unnest(event_ids), unnest(types), unnest(schema_versions),
    unnest(expiring), unnest(occurred_ats), unnest(event_fingerprints), json_array_elements(data)
  ) with ordinality as e (
    request, session_place, event_id, type, schema_version, expiring, occurred_at, fingerprint, data, n
  );

  -- What a memory's own facts change about how it takes events counts from the next batch on. Rows of memory_gates are
  -- changed under this lock only, so nothing here waits for another transaction.
  if types && array['memory.created', 'memory.deleted', 'memory.expiry_changed'] then
    insert into memory_gates (memory_id, tenant_id, event_expiry_days, is_open)
    select e.memory_id, e.tenant_id, (well_formed(e.data) ->> 'eventExpiryDuration')::integer, true
    from events e
    where e.partition = 0 and e.position > head and e.type = 'memory.created';

    update memory_gates g set is_open = false, closed_at = clock_timestamp()
    from events e
    where e.partition = 0 and e.position > head and e.type = 'memory.deleted'
      and g.memory_id = e.memory_id and g.tenant_id = e.tenant_id;

    update memory_gates g set event_expiry_days = (well_formed(e.data) ->> 'eventExpiryDuration')::integer
    from events e
    where e.partition = 0 and e.position > head and e.type = 'memory.expiry_changed'
      and g.memory_id = e.memory_id and g.tenant_id = e.tenant_id;

    insert into expiry_changes (memory_id, before, days)
    select e.memory_id, e.position, (well_formed(e.data) ->> 'eventExpiryDuration')::integer
    from events e
    where e.partition = 0 and e.position > head and e.type = 'memory.expiry_changed'
      and well_formed(e.data) ->> 'appliedToExisting' = 'true';
  end if;

  return json_build_object('head', head, 'at', (extract(epoch from stamp) * 1000)::float8, 'newest', to_json(newest), 'waited', waited);
end $$;

-- As the previous release calls it.
create or replace function append_batch(
  tenant_ids uuid[], memory_ids uuid[], actor_ids text[], session_ids text[],
  expected_sequences bigint[], fingerprints text[], event_counts integer[], creating boolean[],
  ids_to_look_up uuid[], event_requests integer[], session_places integer[], event_ids uuid[],
  types text[], schema_versions smallint[], expiring boolean[], occurred_ats timestamptz[],
  event_fingerprints text[], data json
)
returns json language sql volatile set search_path from current as $$
  select append_batch(
    tenant_ids, memory_ids, actor_ids, session_ids,
    expected_sequences, fingerprints, event_counts, creating,
    array_fill(null::uuid, array[cardinality(tenant_ids)]), array_fill(null::text, array[cardinality(tenant_ids)]), ids_to_look_up, event_requests,
    session_places, event_ids, types, schema_versions,
    expiring, occurred_ats, event_fingerprints, data,
    null
  );
$$;

-- For a release that is gone.
drop function append_events;

-- What the previous release does after an append, which does it by itself now.
create or replace function close_memory(for_tenant uuid, of_memory uuid)
returns void language sql as $$ select; $$;
create or replace function change_expiry(for_tenant uuid, of_memory uuid, days integer, before bigint)
returns void language sql as $$ select; $$;

-- Appends what this transaction has staged: the arguments of append_batch, as a list of their texts, in a setting that
-- ends with the transaction. A short statement without parameters, so that it and the commit are one message. Fails where
-- append_batch answers with judgements, which are the detail of the error, so that the commit behind it is not run.
create function append_staged() returns json language plpgsql set search_path from current as $$
declare
  staged constant text[] := current_setting('turnkeeper.staged_append')::text[];
  answer json;
begin
  answer := append_batch(
    staged[1]::uuid[], staged[2]::uuid[], staged[3]::text[], staged[4]::text[], staged[5]::bigint[],
    staged[6]::text[], staged[7]::integer[], staged[8]::boolean[], staged[9]::uuid[], staged[10]::text[],
    staged[11]::uuid[], staged[12]::integer[], staged[13]::integer[], staged[14]::uuid[], staged[15]::text[],
    staged[16]::smallint[], staged[17]::boolean[], staged[18]::timestamptz[], staged[19]::text[], staged[20]::json,
    staged[21]::timestamptz
  );
  if answer -> 'judgements' is not null then
    raise exception 'the append was refused' using errcode = 'TK409', detail = answer::text;
  end if;
  return answer;
end $$;

-- Without the head of the log: an append that comes in between finds the sessions as they were, and its events go with
-- them; one that comes after the commit finds none.
create or replace function close_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text, why text)
returns setof bigint language plpgsql security definer set search_path from current as $$
begin
  return query
  with gone as (
    delete from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and s.actor_id = of_actor
      and (of_session is null or of_session in (s.session_id, session_name(s.session_id)))
      and tenant_allowed(for_tenant)
    returning s.session_key, s.tenant_id, s.memory_id
  )
  insert into closed_sessions (session_key, tenant_id, memory_id, reason, at)
  select g.session_key, g.tenant_id, g.memory_id, why, clock_timestamp() from gone g
  returning closed_sessions.session_key;
end $$;

create or replace function erase_event(for_tenant uuid, of_session bigint, of_event uuid)
returns void language plpgsql security definer set search_path from current as $$
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  perform set_config('turnkeeper.tombstone_reason', 'erased', true);
  delete from events e
  where e.session_key = of_session and e.tenant_id = for_tenant and e.type = 'message.interrupted'
    and e.sequence > (select m.sequence from events m where m.tenant_id = for_tenant and m.event_id = of_event)
    and well_formed(e.data) ->> 'messageEventId' = of_event::text;
  delete from events e where e.event_id = of_event and e.tenant_id = for_tenant and e.session_key = of_session;
end $$;

-- Gives a changed expiry to older events of one memory, this one or any: so many events in a go. False when there is
-- nothing to do. Locks no row of memory_gates, which an append may change.
create or replace function apply_expiry(of_memory uuid, most integer)
returns boolean language plpgsql security definer set search_path from current as $$
declare
  job expiry_changes;
  key bigint;
  done_before bigint;
  seen integer;
  reached bigint;
  keys integer := 0;
  budget integer := most;
begin
  for job in
    select distinct on (j.memory_id) j.* from expiry_changes j where of_memory is null or j.memory_id = of_memory
    order by j.memory_id, j.before desc
  loop
    exit when pg_try_advisory_xact_lock(hashtextextended(job.memory_id::text, 1414877774));
    job := null;
  end loop;
  if job.memory_id is null then
    return false;
  end if;
  -- Read again, now that nobody else works on it. A later change covers all that an earlier one would.
  select j.* into job from expiry_changes j where j.memory_id = job.memory_id order by j.before desc limit 1;
  if job.memory_id is null then
    return true;
  end if;
  delete from expiry_changes j where j.memory_id = job.memory_id and j.before < job.before;
  if not exists (select from memory_gates g where g.memory_id = job.memory_id and g.is_open) then
    delete from expiry_changes j where j.memory_id = job.memory_id;
    return true;
  end if;

  perform set_config('turnkeeper.change', 'expiry', true);
  if job.after_session = 0 and job.after_sequence = 0 then
    update events e set expires_at = e.recorded_at + make_interval(hours => 24 * job.days)
    where e.memory_id = job.memory_id and e.session_key is null and e.expires_at > clock_timestamp()
      and e.position < job.before;
  end if;
  for key in
    select s.session_key from sessions s
    where s.memory_id = job.memory_id and s.session_key >= job.after_session
    order by s.session_key limit 100
  loop
    done_before := case when key = job.after_session then job.after_sequence else 0 end;
    with part as materialized (
      select e.ctid as place, e.sequence from events e
      where e.session_key = key and e.sequence > done_before and e.position < job.before
      order by e.sequence limit budget
    ), changed as (
      update events e set expires_at = e.recorded_at + make_interval(hours => 24 * job.days)
      where e.ctid = any (array(select p.place from part p)) and e.expires_at > clock_timestamp()
    )
    select count(*), max(p.sequence) into seen, reached from part p;
    if seen = budget then
      update expiry_changes j set after_session = key, after_sequence = reached
      where j.memory_id = job.memory_id and j.before = job.before;
      perform set_config('turnkeeper.change', '', true);
      return true;
    end if;
    update events e set expires_at = e.recorded_at + make_interval(hours => 24 * job.days)
    where e.session_key = key and e.sequence is null and e.expires_at > clock_timestamp() and e.position < job.before;
    budget := budget - seen;
    keys := keys + 1;
  end loop;
  perform set_config('turnkeeper.change', '', true);
  if keys < 100 then
    delete from expiry_changes j where j.memory_id = job.memory_id and j.before = job.before;
  else
    update expiry_changes j set after_session = key + 1, after_sequence = 0
    where j.memory_id = job.memory_id and j.before = job.before;
  end if;
  return true;
end $$;
