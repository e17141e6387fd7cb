-- Up Migration

-- What a tenant writes costs the others nothing that grows with its content (docs/adr/0240):
--
-- * The append is told what it used to parse events for while it held the head of the log, and it looks up all event ids
--   of a request, so that no insert waits for a row that a purge is deleting.
-- * Whether an event is a turn of the end user is stored with it. Events of before keep null and are read.
-- * Half surrogate pairs are replaced in linear time: a regular expression took up to 1.2 s for one message.
-- * Pages of the log and of the index of questions are bounded by their bytes as well.
--
-- The previous release survives this: it finds append_batch as it calls it.

alter table events add column user_turn boolean;

-- Half of a surrogate pair, written as \uXXXX, becomes U+FFFD. A doubled backslash is written otherwise first, so that what
-- follows it is not taken for an escape.
create function replace_half_pairs(body text) returns text language sql immutable strict parallel safe as $$
  select string_agg(
    case
      when p.n = 1 then p.part
      when p.part <> '' and strpos('89abcdef', left(p.part, 1)) > 0 then '\ufffd' || substr(p.part, 4)
      else '\ud' || p.part
    end,
    '' order by p.n
  )
  from unnest(string_to_array(replace(body, '\\', '\u005c'), '\ud')) with ordinality as p (part, n);
$$;

-- Not a quoted body: an index calls this, and ANALYZE, VACUUM and a restore work without our schema in their search_path.
create or replace function well_formed(data json) returns json language sql immutable parallel safe
  return case when strpos(data::text, '\ud') = 0 then data else replace_half_pairs(data::text)::json end;

create or replace function read_outline(after bigint, most integer)
returns table (
  "position" double precision,
  session_key double precision,
  sequence double precision,
  type text,
  is_user_turn boolean
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set jit = off
as $$
#variable_conflict use_column
begin
  return query
  select e.position::float8, e.session_key::float8, e.sequence::float8, e.type, coalesce(e.user_turn, is_user_turn(e.type, e.data))
  from events e
  where e.partition = 0 and e.position > after and (e.expires_at is null or e.expires_at > now())
  order by e.position
  limit most;
end $$;

-- Ends with the event that brings the page to `most_bytes`; gives at least one event, if there is one.
create function read_log_page(after bigint, most integer, only_types text[], through bigint, most_bytes integer)
returns table (
  "position" double precision,
  sequence double precision,
  session_key double precision,
  event_id uuid,
  tenant_id uuid,
  memory_id uuid,
  actor_id text,
  session_id text,
  type text,
  schema_version smallint,
  data json,
  occurred_at timestamptz,
  recorded_at timestamptz,
  expires_at timestamptz,
  bytes double precision
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
  taken double precision := 0;
begin
  for position, sequence, session_key, event_id, tenant_id, memory_id, actor_id, session_id, type, schema_version, data,
    occurred_at, recorded_at, expires_at, bytes in
  select
    e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.tenant_id, e.memory_id,
    s.actor_id, s.session_id, e.type, e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at,
    octet_length(e.data::text)::float8
  from events e
  left join lateral (
    select i.session_key, i.actor_id, i.session_id from sessions i where i.session_key = e.session_key limit 1
  ) as s on true
  cross join lateral (
    select i.is_open from memory_gates i where i.memory_id = e.memory_id limit 1
  ) as g
  where e.partition = 0 and e.position > after and e.position <= coalesce(through, 9223372036854775807)
    and (e.expires_at is null or e.expires_at > now())
    and (e.session_key is null or s.session_key is not null)
    and (g.is_open or e.type = 'memory.deleted')
    and (only_types is null or e.type = any (only_types))
  order by e.position
  limit most
  loop
    return next;
    taken := taken + bytes;
    exit when taken >= most_bytes;
  end loop;
end $$;

-- As 0195 has it, and bounded: takes at most so many further positions of the log in, and 16 MiB of messages; answers how many are left, or null when
-- another process is at it.
create or replace function index_questions(most integer)
returns bigint language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  done bigint;
  head bigint;
  upto bigint;
  held bigint[];
  size bigint := 0;
  message record;
begin
  select c.position into done from question_cursor c where c.name = 'questions' for update skip locked;
  if done is null then
    return null;
  end if;
  head := greatest(
    (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
    (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
    0
  );
  upto := least(head, done + most);
  if upto = done then
    return 0;
  end if;
  for message in
    select e.position, octet_length(e.data::text) as bytes from events e
    where e.partition = 0 and e.position > done and e.position <= upto and e.type = 'message.appended'
      and e.user_turn is not false
    order by e.position
  loop
    size := size + message.bytes;
    if size >= 16777216 then
      upto := message.position;
      exit;
    end if;
  end loop;
  -- Held until the commit: a deletion that comes later finds the rows that are written here, and one that came earlier
  -- ends what is taken in this time right before its message, in case it is rolled back.
  held := array(
    select i.position from events i
    where i.partition = 0 and i.position > done and i.position <= upto and i.type = 'message.appended'
    order by i.position
    for key share skip locked
  );
  select least(upto, min(x.position) - 1) into upto from (
    select i.position from events i
    where i.partition = 0 and i.position > done and i.position <= upto and i.type = 'message.appended'
    except select unnest(held)
  ) x;
  insert into questions (position, tenant_id, of_session, of_actor, of_memory)
  select
    e.position, e.tenant_id,
    question_key('session:' || e.session_key, e.words),
    question_key('actor:' || e.memory_id || ':' || e.actor_id, e.words),
    question_key('memory:' || e.memory_id, e.words)
  from (
    select i.position, i.tenant_id, i.memory_id, i.session_key, s.actor_id, case when i.user_turn is not false then question_words(i.type, i.data) end as words
    from events i
    cross join lateral (select k.actor_id from sessions k where k.session_key = i.session_key limit 1) as s
    where i.partition = 0 and i.position > done and i.position <= upto
    order by i.position
    -- A fence: without it the words are taken out of the message again for every place where they are named.
    offset 0
  ) e
  where e.words is not null;
  update question_cursor set position = upto where name = 'questions';
  return head - upto;
end $$;

drop function append_batch(
  uuid[], uuid[], text[], text[], bigint[], text[], integer[], boolean[], uuid[], text[], uuid[], integer[], integer[],
  uuid[], text[], smallint[], boolean[], timestamptz[], text[], json, timestamptz
);

-- A batch is stored as a whole, or nothing of it is and the answer gives a judgement per request. Arrays of the first group
-- have an element per request, those of the second an element per event, in request order. Two requests of a batch must
-- not share an event id, nor a session where one of them expects a sequence.
--
-- Writers are serialised by a lock that is taken first; the statements after it have snapshots in which all earlier
-- batches are committed (READ COMMITTED, a volatile function). So "newest position + 1" is dense and in commit order.
-- Nothing under the lock scans, parses what tenants wrote, or waits for a row that another transaction may hold.
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
  -- The request's first event id; null where its ids were made for this request: none of them is looked up then.
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
  -- What the log would otherwise have to parse the events for, which tenants write: whether it is a turn of the end user
  -- (null: read it from the event), and what an event of a memory sets: the days that events stay readable, and whether
  -- those count for older events as well.
  user_turns boolean[],
  memory_days integer[],
  for_existing boolean[],
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
        when r.has_stored_event then json_build_object('outcome', 'idempotency_mismatch')
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
          -- The later ids as well: the unique key would wait for one that a purge is deleting.
          case when u.id_to_look_up is not null and u.event_count > 1 then coalesce((
            select true
            from unnest(event_ids[u.first_event + 1 : u.first_event + u.event_count - 1]) as i (id)
            where (select e.position from events e where e.tenant_id = u.tenant_id and e.event_id = i.id) is not null
            limit 1
          ), false) else false end as has_stored_event,
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
        from (
          select a.*, (sum(a.event_count) over (order by a.n) - a.event_count + 1)::integer as first_event
          from unnest(
            tenant_ids, memory_ids, actor_ids, session_ids, expected_sequences, fingerprints,
            event_counts, creating, agent_ids, agent_statuses, ids_to_look_up
          ) with ordinality as a (
            tenant_id, memory_id, actor_id, session_id, expected_sequence, fingerprint,
            event_count, creating, agent_id, agent_status, id_to_look_up, n
          )
        ) u
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
    type, schema_version, data, occurred_at, recorded_at, expires_at, fingerprint, user_turn
  )
  select
    0, head + e.n, e.event_id, tenant_ids[e.request], memory_ids[e.request], nullif(session_keys[e.request], 0),
    newest[e.request] + e.session_place,
    e.type, e.schema_version, e.data, e.occurred_at, stamp,
    case when e.expiring then stamp + make_interval(hours => 24 * nullif(expiry_days[e.request], 0)) end,
    decode(e.fingerprint, 'hex'), e.user_turn
  from rows from (
    unnest(event_requests), unnest(session_places), unnest(event_ids), unnest(types), unnest(schema_versions),
    unnest(expiring), unnest(occurred_ats), unnest(event_fingerprints), unnest(user_turns), json_array_elements(data)
  ) with ordinality as e (
    request, session_place, event_id, type, schema_version, expiring, occurred_at, fingerprint, user_turn, data, n
  );

  -- What an event of a memory changes about how the memory takes events counts from the next batch on. Rows of
  -- memory_gates are changed under this lock only, so nothing here waits for another transaction.
  if types && array['memory.created', 'memory.deleted', 'memory.expiry_changed'] then
    insert into memory_gates (memory_id, tenant_id, event_expiry_days, is_open)
    select memory_ids[e.request], tenant_ids[e.request], e.days, true
    from unnest(event_requests, types, memory_days) as e (request, type, days)
    where e.type = 'memory.created';

    update memory_gates g set is_open = false, closed_at = clock_timestamp()
    from unnest(event_requests, types) as e (request, type)
    where e.type = 'memory.deleted' and g.memory_id = memory_ids[e.request] and g.tenant_id = tenant_ids[e.request];

    update memory_gates g set event_expiry_days = e.days
    from unnest(event_requests, types, memory_days) as e (request, type, days)
    where e.type = 'memory.expiry_changed'
      and g.memory_id = memory_ids[e.request] and g.tenant_id = tenant_ids[e.request];

    insert into expiry_changes (memory_id, before, days)
    select memory_ids[e.request], head + e.n, e.days
    from unnest(event_requests, types, memory_days, for_existing) with ordinality as e (request, type, days, applies, n)
    where e.type = 'memory.expiry_changed' and e.applies;
  end if;

  return json_build_object('head', head, 'at', (extract(epoch from stamp) * 1000)::float8, 'newest', to_json(newest), 'waited', waited);
end $$;

-- As the previous release calls it. What it does not say is read from its events here, before the head of the log is taken.
create or replace function append_batch(
  tenant_ids uuid[], memory_ids uuid[], actor_ids text[], session_ids text[],
  expected_sequences bigint[], fingerprints text[], event_counts integer[], creating boolean[],
  ids_to_look_up uuid[], event_requests integer[], session_places integer[], event_ids uuid[],
  types text[], schema_versions smallint[], expiring boolean[], occurred_ats timestamptz[],
  event_fingerprints text[], data json
)
returns json language plpgsql volatile set search_path from current as $$
#variable_conflict use_column
declare
  days integer[];
  existing boolean[];
begin
  if types && array['memory.created', 'memory.expiry_changed'] then
    select
      array_agg(case when e.type in ('memory.created', 'memory.expiry_changed')
        then (well_formed(e.body) ->> 'eventExpiryDuration')::integer end order by e.n),
      array_agg(case when e.type = 'memory.expiry_changed'
        then well_formed(e.body) ->> 'appliedToExisting' = 'true' end order by e.n)
    into days, existing
    from rows from (unnest(types), json_array_elements(data)) with ordinality as e (type, body, n);
  end if;
  return append_batch(
    tenant_ids, memory_ids, actor_ids, session_ids,
    expected_sequences, fingerprints, event_counts, creating,
    array_fill(null::uuid, array[cardinality(tenant_ids)]), array_fill(null::text, array[cardinality(tenant_ids)]),
    ids_to_look_up, event_requests, session_places, event_ids, types, schema_versions,
    expiring, occurred_ats, event_fingerprints,
    array_fill(null::boolean, array[cardinality(types)]), days, existing, data,
    null
  );
end $$;

create or replace function append_staged() returns json language plpgsql set search_path from current as $$
declare
  staged constant text[] := current_setting('turnkeeper.staged_append')::text[];
  answer json;
begin
  answer := append_batch(
    staged[1]::uuid[], staged[2]::uuid[], staged[3]::text[], staged[4]::text[], staged[5]::bigint[],
    staged[6]::text[], staged[7]::integer[], staged[8]::boolean[], staged[9]::uuid[], staged[10]::text[],
    staged[11]::uuid[], staged[12]::integer[], staged[13]::integer[], staged[14]::uuid[], staged[15]::text[],
    staged[16]::smallint[], staged[17]::boolean[], staged[18]::timestamptz[], staged[19]::text[],
    staged[20]::boolean[], staged[21]::integer[], staged[22]::boolean[], staged[23]::json, staged[24]::timestamptz
  );
  if answer -> 'judgements' is not null then
    raise exception 'the append was refused' using errcode = 'TK409', detail = answer::text;
  end if;
  return answer;
end $$;
