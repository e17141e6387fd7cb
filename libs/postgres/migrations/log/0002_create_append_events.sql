-- Up Migration

-- Appends a batch of requests in one statement and answers with one row per request. Arrays of the first group have an
-- element per request, those of the second an element per event, in request order. A refused request stores nothing and
-- does not disturb its neighbours. Two requests of a batch must not share an event id, nor a session where one of them
-- expects a sequence.
--
-- Writers are serialised by a lock that is taken first; the statement after it has a snapshot in which all earlier
-- batches are committed (READ COMMITTED, a volatile function). So "newest position + 1" is dense and in commit order.
-- There is no counter row: under a long-running snapshot (a backup) the dead versions of a row that is updated with
-- every batch pile up and every append would walk them.
create function append_events(
  tenant_ids uuid[],
  memory_ids uuid[],
  actor_ids text[],
  session_ids text[],
  -- Null where the client did not say.
  expected_sequences bigint[],
  fingerprints text[],
  first_event_ids uuid[],
  event_counts integer[],
  -- The request's events are numbered in their session.
  sequenced boolean[],
  -- The first event is memory.created.
  creating boolean[],
  -- Number of the request, from 1.
  event_requests integer[],
  event_ids uuid[],
  types text[],
  schema_versions smallint[],
  expiring boolean[],
  occurred_ats timestamptz[],
  -- A JSON array: one element per event, kept verbatim.
  data json
)
returns table (
  -- appended, duplicate, idempotency_mismatch, memory_not_found, memory_exists, sequence_conflict
  outcome text,
  first_position bigint,
  -- For sequence_conflict: the session's newest sequence.
  first_sequence bigint,
  recorded_at timestamptz
)
language plpgsql volatile
-- The plan must not depend on what the tables held when it was made: index lookups per request, hashes for the rest.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_nestloop = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
  stamp timestamptz;
begin
  -- 'TURN' and the partition.
  perform pg_advisory_xact_lock(1414877774, 0);
  stamp := date_trunc('milliseconds', clock_timestamp());

  return query
  with request as materialized (
    select
      r.*,
      sum(r.event_count) over (order by r.n) - r.event_count as events_before,
      gate.event_expiry_days,
      known.session_key,
      known.newest,
      stored.position as stored_position,
      stored.sequence as stored_sequence,
      stored.recorded_at as stored_at,
      case
        when stored.position is not null then
          case
            when (stored.tenant_id, stored.memory_id) is distinct from (r.tenant_id, r.memory_id)
              or stored.session_key is distinct from known.session_key then 'idempotency_mismatch'
            when case
              when r.fingerprint is not null then r.fingerprint is not distinct from stored.fingerprint
              else (
                select array_agg((e.event_id, e.type) order by e.position)
                from events e
                where e.partition = 0
                  and e.position between stored.position and stored.position + r.event_count - 1
              ) = (
                select array_agg((e.event_id, e.type) order by e.n)
                from unnest(event_requests, event_ids, types) with ordinality as e (request, event_id, type, n)
                where e.request = r.n
              )
            end then 'duplicate'
            else 'idempotency_mismatch'
          end
        when r.creating and gate.memory_id is not null and gate.tenant_id = r.tenant_id then 'memory_exists'
        when not r.creating and gate.is_open and gate.tenant_id = r.tenant_id or r.creating and gate.memory_id is null then
          case when r.expected_sequence <> coalesce(known.newest, 0) then 'sequence_conflict' else 'appended' end
        else 'memory_not_found'
      end as outcome
    from (
      select
        u.tenant_id, u.memory_id, u.actor_id, u.session_id, u.expected_sequence, decode(u.fingerprint, 'hex') as fingerprint,
        u.first_event_id, u.event_count, u.sequenced, u.creating, u.n
      from unnest(
        tenant_ids, memory_ids, actor_ids, session_ids, expected_sequences, fingerprints,
        first_event_ids, event_counts, sequenced, creating
      ) with ordinality as u (
        tenant_id, memory_id, actor_id, session_id, expected_sequence, fingerprint,
        first_event_id, event_count, sequenced, creating, n
      )
    ) as r
    left join lateral (
      select e.* from events e where e.event_id = r.first_event_id limit 1
    ) as stored on true
    left join lateral (
      select g.* from memory_gates g where g.memory_id = r.memory_id limit 1
    ) as gate on true
    left join lateral (
      select
        s.session_key,
        greatest(
          (select e.sequence from events e
           where e.session_key = s.session_key and e.sequence is not null order by e.sequence desc limit 1),
          (select t.sequence from tombstones t
           where t.session_key = s.session_key and t.sequence is not null order by t.sequence desc limit 1),
          0
        ) as newest
      from sessions s
      where s.memory_id = r.memory_id and s.actor_id = r.actor_id and s.session_id = r.session_id
      limit 1
    ) as known on true
  ),
  opened as (
    insert into sessions (tenant_id, memory_id, actor_id, session_id, created_at)
    select q.tenant_id, q.memory_id, q.actor_id, q.session_id, stamp
    from request q
    where q.outcome = 'appended' and q.session_key is null and q.session_id is not null
    group by q.tenant_id, q.memory_id, q.actor_id, q.session_id
    order by min(q.n)
    returning session_key, memory_id, actor_id, session_id
  ),
  placed as materialized (
    select
      q.n, q.tenant_id, q.memory_id, q.event_expiry_days, q.events_before, q.fingerprint,
      coalesce(q.session_key, o.session_key) as session_key,
      greatest(
        (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
        (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
        0
      ) + 1 + sum(q.event_count) over (order by q.n) - q.event_count as first_position,
      case when q.sequenced then
        coalesce(q.newest, 0) + 1
        + sum(q.event_count) filter (where q.sequenced) over (partition by coalesce(q.session_key, o.session_key) order by q.n)
        - q.event_count
      end as first_sequence
    from request q
    left join opened o
      on q.session_key is null and o.memory_id = q.memory_id and o.actor_id = q.actor_id and o.session_id = q.session_id
    where q.outcome = 'appended'
  ),
  stored as (
    insert into events (
      partition, position, event_id, tenant_id, memory_id, session_key, sequence,
      type, schema_version, data, occurred_at, recorded_at, expires_at, fingerprint
    )
    select
      0, p.first_position + (e.n - 1 - p.events_before), e.event_id, p.tenant_id, p.memory_id, p.session_key,
      p.first_sequence + (e.n - 1 - p.events_before),
      e.type, e.schema_version, e.data, e.occurred_at, stamp,
      case when e.expiring then stamp + make_interval(hours => 24 * p.event_expiry_days) end,
      case when e.n - 1 = p.events_before then p.fingerprint end
    from rows from (
      unnest(event_requests), unnest(event_ids), unnest(types), unnest(schema_versions), unnest(expiring),
      unnest(occurred_ats), json_array_elements(data)
    ) with ordinality as e (request, event_id, type, schema_version, expiring, occurred_at, data, n)
    join placed p on p.n = e.request
    order by e.n
  )
  select
    q.outcome,
    case q.outcome when 'duplicate' then q.stored_position else p.first_position end,
    case q.outcome when 'duplicate' then q.stored_sequence when 'sequence_conflict' then coalesce(q.newest, 0) else p.first_sequence end,
    case q.outcome when 'duplicate' then q.stored_at else stamp end
  from request q
  left join placed p on p.n = q.n
  order by q.n;

  -- A memory takes events from the transaction on that creates it. Later facts about memories belong here too.
  if true = any (creating) then
    insert into memory_gates (memory_id, tenant_id, event_expiry_days, is_open)
    select e.memory_id, e.tenant_id, (e.data ->> 'eventExpiryDuration')::integer, true
    from events e
    where e.event_id = any (first_event_ids) and e.type = 'memory.created'
    on conflict (memory_id) do nothing;
  end if;
end $$;
