-- Up Migration

-- The append, for less: a batch is stored as a whole, or the answer says which of its requests stand in the way and
-- nothing is stored (docs/adr/0033). The writer then sends the rest again. The previous release survives this:
-- append_events is left for it, and both take the same lock first.
--
-- Arrays of the first group have an element per request, those of the second an element per event, in request order.
-- Two requests of a batch must not share an event id, nor a session where one of them expects a sequence.
--
-- Writers are serialised by a lock that is taken first; the statements after it have snapshots in which all earlier
-- batches are committed (READ COMMITTED, a volatile function). So "newest position + 1" is dense and in commit order.
-- There is no counter row: under a long-running snapshot (a backup) the dead versions of a row that is updated with
-- every batch pile up and every append would walk them.
--
-- Answers {"head", "at", "newest"} when all is stored: head is the log's newest position before the batch, whose events
-- follow it in their order; newest has, per request, the newest sequence of its session before the batch, which numbered
-- events follow; at is when, in milliseconds. Answers {"judgements"} when nothing is stored: per request null, or what
-- stands in the way: {"outcome": "duplicate", "position", "sequence", "at"} with the first answer,
-- {"outcome": "sequence_conflict", "sequence"} with the session's newest, or {"outcome"} that is idempotency_mismatch,
-- memory_not_found or memory_exists.
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
  data json
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
  -- 'TURN' and the partition.
  perform pg_advisory_xact_lock(1414877774, 0);
  stamp := date_trunc('milliseconds', clock_timestamp());

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
          (select e.position from events e where e.event_id = u.id_to_look_up) as stored_position,
          -- Null when there is no such memory, or none that takes events.
          (select g.event_expiry_days from memory_gates g
           where g.memory_id = u.memory_id and g.tenant_id = u.tenant_id and g.is_open) as expiry_days,
          (select s.session_key from sessions s
           where s.memory_id = u.memory_id and s.actor_id = u.actor_id and s.session_id = u.session_id) as session_key
        from unnest(
          tenant_ids, memory_ids, actor_ids, session_ids, expected_sequences, fingerprints,
          event_counts, creating, ids_to_look_up
        ) with ordinality as u (
          tenant_id, memory_id, actor_id, session_id, expected_sequence, fingerprint,
          event_count, creating, id_to_look_up, n
        )
        -- Fences: what is looked up is looked up once, not wherever it is named.
        offset 0
      ) k
      offset 0
    ) r
  ) q;

  if not all_good then
    return json_build_object('judgements', array_to_json(judgements));
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

  -- A memory takes events from the transaction on that creates it. Later facts about memories belong here too.
  if true = any (creating) then
    insert into memory_gates (memory_id, tenant_id, event_expiry_days, is_open)
    select e.memory_id, e.tenant_id, (well_formed(e.data) ->> 'eventExpiryDuration')::integer, true
    from events e
    where e.partition = 0 and e.position > head and e.type = 'memory.created';
  end if;

  return json_build_object('head', head, 'at', (extract(epoch from stamp) * 1000)::float8, 'newest', to_json(newest));
end $$;

-- With a plan like that, and with the moment taken first: compared with a clock that moves on, every event that will
-- ever expire was looked at to find that none has.
create or replace function purge_expired(most integer)
returns integer language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
declare
  due constant timestamptz := clock_timestamp();
  total integer;
begin
  perform set_config('turnkeeper.tombstone_reason', 'expired', true);
  delete from events e where e.ctid = any (array(
    select i.ctid from events i where i.expires_at <= due
    order by i.expires_at limit most for update skip locked
  ));
  get diagnostics total = row_count;
  return total;
end $$;
