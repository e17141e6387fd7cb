-- Up Migration

-- The whole schema of Turnkeeper, grouped by part. Each part lists its tables, then its functions, then its triggers.
-- What 0810, 0811, 0817, 0821 and 0826 define for databases from before 0.1.0 as well is only there: each function is
-- defined once. Functions marked `security definer` run as the owner of the tables: they are the only way for the
-- services' roles to write the log.

-- A function may be defined before a table or function that it uses.
set local check_function_bodies = off;

-- == Tenants and row-level security ==

-- Customers of this installation. `limits` holds the limits that differ from the installation's, by name.
create table tenants (
  tenant_id uuid not null,
  name text not null,
  created_at timestamptz not null default now(),
  requests_per_second integer,
  limits jsonb not null default '{}',
  -- A deleted tenant keeps its row without its name, so that its id is never reused and the deletion can be repeated.
  deleted_at timestamptz,
  primary key (tenant_id),
  unique (name),
  check (requests_per_second > 0)
);

create table api_keys (
  key_id text not null,
  tenant_id uuid not null,
  description text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  replaced_by text,
  -- A key can be restricted to one memory, one actor, or both; null: not restricted.
  memory_id uuid,
  actor_id text,
  primary key (key_id),
  foreign key (tenant_id) references tenants(tenant_id) on delete cascade
);
create index api_keys_by_tenant on api_keys (tenant_id, created_at desc);

-- Row-level security is a second safeguard behind the tenant predicate of every query (docs/adr/0035). Services work as
-- one of two roles that own nothing: turnkeeper_app sees the rows of the connection's current tenant, turnkeeper_system
-- the rows of all tenants.

-- The current tenant of this connection. Null: none is set, and turnkeeper_app sees no rows.
create or replace function current_tenant() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('turnkeeper.tenant', true), '')::uuid;
$$;

-- Checked by functions that run as the owner before they act for a tenant.
create or replace function tenant_allowed(for_tenant uuid) returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('role', true), '') not in ('turnkeeper_app', 'turnkeeper_restricted')
      or for_tenant = current_tenant();
$$;

-- Requests with a key of one memory or one actor work as a role of their own, whose policies also compare the memory and
-- the actor of a row.
create or replace function reach_memory() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('turnkeeper.memory', true), '')::uuid;
$$;

create or replace function reach_actor() returns text language sql stable parallel safe as $$
  select nullif(current_setting('turnkeeper.actor', true), '');
$$;

create or replace function reach_allowed(for_tenant uuid, of_memory uuid) returns boolean language sql stable parallel safe as $$
  select tenant_allowed(for_tenant)
     and (current_setting('role', true) is distinct from 'turnkeeper_restricted'
          or reach_memory() is null or of_memory = reach_memory());
$$;

-- What a policy of `turnkeeper_restricted` requires of a row beside its tenant. A row without a memory or an actor, such
-- as a webhook endpoint, belongs to the tenant.
create or replace function reach_condition(of_table oid) returns text language plpgsql stable set search_path from current as $$
declare
  name constant text := (select relname from pg_class where oid = of_table);
  has constant text[] := (
    select array_agg(attname::text) from pg_attribute where attrelid = of_table and attnum > 0 and not attisdropped
  );
  condition text := '';
begin
  -- May hold the words of any actor. No request of a key of one actor reads them.
  if name in ('connector_notices', 'graph_items', 'webhook_deliveries') then
    condition := ' and (select reach_actor()) is null';
  end if;
  if name = 'webhook_deliveries' then
    return condition || ' and ((select reach_memory()) is null or memory_id = (select reach_memory()) or (memory_id is null
      and exists (select from events e where e.tenant_id = webhook_deliveries.tenant_id and e.event_id = cause_event_id)))';
  end if;
  if 'memory_id' = any (has) then
    -- A key that was used for another memory must stay known. The answers are encrypted.
    if name <> 'idempotent_requests' then
      condition := condition || ' and ((select reach_memory()) is null or memory_id = (select reach_memory()))';
    end if;
  elsif 'connector_id' = any (has) then
    condition := condition || format(
      ' and exists (select from connectors c where c.connector_id = %I.connector_id)', name);
  elsif name in ('turns', 'turn_vectors') then
    return format(' and exists (select from sessions s where s.session_key = %I.session_key)', name);
  end if;
  if 'actor_id' = any (has) then
    return condition || ' and ((select reach_actor()) is null or actor_id = (select reach_actor()))';
  end if;
  if 'session_key' = any (has) and name not in ('closed_sessions', 'buried_sequences') then
    condition := condition || format(
      ' and ((select reach_actor()) is null or exists (select from sessions s where s.session_key = %I.session_key))', name);
  elsif 'thread_key' = any (has) then
    condition := condition || format(' and exists (select from graph_threads t where t.thread_key = %I.thread_key)', name);
  end if;
  if 'record_id' = any (has) and 'memory_id' <> all (has) then
    condition := condition || format(
      ' and exists (select from records r where r.record_id = %1$I.record_id and r.tenant_id = %1$I.tenant_id)', name);
  end if;
  return condition;
end $$;

-- == The log ==

-- Whether a memory accepts events, and how long it keeps them. Written only by append_batch, with the event that
-- changes it.
create table memory_gates (
  memory_id uuid not null,
  tenant_id uuid not null,
  event_expiry_days integer not null,
  is_open boolean not null,
  closed_at timestamptz,
  purged_at timestamptz,
  primary key (memory_id),
  check ((event_expiry_days >= 1) and (event_expiry_days <= 365))
);
create index memory_gates_unpurged on memory_gates (memory_id) where closed_at is not null and purged_at is null;

-- Changes of a memory's expiry that existing events have not received yet; the newest one counts. It applies to events
-- before this position, session by session. after_session and after_sequence are the progress.
create table expiry_changes (
  memory_id uuid not null,
  before bigint not null,
  days integer not null,
  after_session bigint not null default 0,
  after_sequence bigint not null default 0,
  primary key (memory_id, before),
  check ((days >= 1) and (days <= 365))
);

-- Replaces half of a surrogate pair, written as \uXXXX, by U+FFFD. A doubled backslash is rewritten first, so that the
-- text after it is not taken for an escape.
create or replace function replace_half_pairs(body text) returns text language sql immutable strict parallel safe as $$
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

-- The body is not quoted: an index calls this function, and ANALYZE, VACUUM and a restore run without this schema in
-- their search path.
create or replace function well_formed(data json) returns json language sql immutable parallel safe
begin atomic
  select case when strpos(data::text, '\ud') = 0 then data else replace_half_pairs(data::text)::json end;
end;

-- A short key for memory, actor and session. Rows are never updated: the newest sequence is read from the events, so
-- that an append updates no row.
create table sessions (
  session_key bigint not null generated always as identity,
  tenant_id uuid not null,
  memory_id uuid not null,
  -- Compared by bytes: faster than a language's collation, and an upgrade of the collation cannot break the index.
  actor_id text collate "C" not null,
  session_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (session_key),
  unique (memory_id, actor_id, session_id)
);

create table events (
  partition smallint not null,
  -- Without gaps and in commit order within a partition, from 1.
  position bigint not null,
  event_id uuid not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  session_key bigint,
  -- Without gaps within a session, from 1. Null for events that are not part of a session's sequence.
  sequence bigint,
  type text not null,
  schema_version smallint not null,
  -- json instead of jsonb keeps the text exactly as it was received.
  data json not null,
  occurred_at timestamptz,
  recorded_at timestamptz not null,
  expires_at timestamptz,
  -- SHA-256 of the client's request, on the first event of the request only.
  fingerprint bytea,
  redacted_at timestamptz,
  -- Whether the event is a turn of the end user. Null for events of earlier versions, whose data is read instead.
  user_turn boolean,
  primary key (partition, position),
  constraint events_event_id_key unique (tenant_id, event_id)
);
-- Events are read far more often than they would have to be decompressed for.
alter table events alter column data set storage external;

create index events_agent_ends on events ((well_formed(data) ->> 'agentId'))
  where type in ('agent.stopped', 'agent.failed');
create unique index events_by_session on events (session_key, sequence) where sequence is not null;
-- Events without a sequence, of a session and outside of sessions. Neither index contains messages.
create index events_derived on events (session_key) where sequence is null and session_key is not null;
create index events_expiring on events (expires_at) where expires_at is not null;
create index events_of_memory on events (memory_id) where session_key is null;
-- Resets are rare, and sessions may be long.
create index events_resets on events (session_key, sequence) where type = 'history.reset';
create index events_interruptions on events (session_key, (well_formed(data) ->> 'messageEventId'))
  where type = 'message.interrupted';

-- What remains of an event that was erased or has expired. A missing position without a tombstone is a bug.
create table tombstones (
  partition smallint not null,
  position bigint not null,
  tenant_id uuid not null,
  session_key bigint,
  sequence bigint,
  reason text not null,
  at timestamptz not null,
  kept boolean not null default false,
  primary key (partition, position)
);
create unique index tombstones_by_session on tombstones (session_key, sequence) where sequence is not null;
create index tombstones_to_merge on tombstones (at) where not kept;

-- Ids of erased messages whose append can be repeated: a late repeat must not store the content again. Such ids are
-- derived from the client's key by SHA-256 (version 8), and nothing else of the message is kept. Ids of other messages
-- are new in every request.
create table erased_event_ids (
  tenant_id uuid not null,
  event_id uuid not null,
  -- When the event would have expired. After that its append could be repeated anyway.
  until timestamptz not null,
  primary key (tenant_id, event_id)
);
create index erased_event_ids_old on erased_event_ids (until);

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'stored events are never edited (% on %)', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;

create or replace function refuse_unless_meant() returns trigger language plpgsql as $$
begin
  if current_setting('turnkeeper.change', true) is distinct from tg_argv[0] then
    raise exception 'stored events are never edited (% on %)', tg_op, tg_table_name
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

-- Every delete leaves tombstones, also one that an operator types, so that a position is never reused. `set local
-- turnkeeper.tombstone_reason = 'expired'` sets the reason.
-- Ids of erased messages whose append can be repeated are kept.
create or replace function bury_events() returns trigger language plpgsql as $$
declare
  why constant text := coalesce(nullif(current_setting('turnkeeper.tombstone_reason', true), ''), 'deleted');
begin
  insert into tombstones (partition, position, tenant_id, session_key, sequence, reason, at)
  select partition, position, tenant_id, session_key, sequence, why, clock_timestamp()
  from gone;
  if why in ('erased', 'session_erased', 'actor_erased') then
    insert into erased_event_ids (tenant_id, event_id, until)
    select g.tenant_id, g.event_id, coalesce(g.expires_at, clock_timestamp() + interval '365 days') from gone g
    where g.type in ('message.appended', 'message.interrupted', 'binary.appended')
      and substr(g.event_id::text, 15, 1) = '8'
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger events_are_never_edited before truncate or update of
  partition, position, event_id, tenant_id, memory_id, session_key, sequence, type, schema_version,
  occurred_at, recorded_at, fingerprint
on events for each statement execute function refuse_change();

create trigger events_are_only_redacted before update of data, redacted_at
on events for each statement execute function refuse_unless_meant('redaction');

create trigger events_keep_their_expiry before update of expires_at
on events for each statement execute function refuse_unless_meant('expiry');

create trigger tombstones_stay before truncate or update of partition, position, tenant_id, session_key, sequence, reason, at
  on tombstones for each statement execute function refuse_change();

create trigger tombstones_are_only_merged before delete or update of kept on tombstones
  for each statement execute function refuse_unless_meant('burial');

create trigger bury_events after delete on events
  referencing old table as gone for each statement execute function bury_events();

-- == The log: append ==

-- Stores a batch as a whole, or stores nothing and returns a judgement for each request. Arrays of the first group have
-- an element per request, those of the second an element per event, in request order. Two requests of a batch must not
-- share an event id, nor a session for which one of them expects a sequence.
--
-- Writers are serialized by a lock that is taken first. The statements after it have snapshots with all earlier batches
-- (READ COMMITTED, a volatile function), so positions have no gaps and follow the commit order. Nothing under the lock
-- scans a table, parses text of a tenant, or waits for a row that another transaction may hold.
--
-- If everything is stored, returns {"head", "at", "newest", "waited"}: head is the newest position before the batch,
-- whose events follow it in their order; newest is, per request, the newest sequence of its session before the batch;
-- at is the time in milliseconds; waited is the wait for the lock in milliseconds. If nothing is stored, returns
-- {"judgements", "waited"}. A judgement is null, or {"outcome": "duplicate", "position", "sequence", "at"} of the first
-- append, {"outcome": "sequence_conflict", "sequence"} with the session's newest sequence, {"outcome": "agent_ended",
-- "status"}, or {"outcome"} with idempotency_mismatch, memory_not_found or memory_exists.
create or replace function append_batch(
  tenant_ids uuid[],
  memory_ids uuid[],
  actor_ids text[],
  session_ids text[],
  -- Null: not checked.
  expected_sequences bigint[],
  fingerprints text[],
  event_counts integer[],
  -- Whether the first event is memory.created.
  creating boolean[],
  -- The agent of the request, and its status as the caller read it; null: none.
  agent_ids uuid[],
  agent_statuses text[],
  -- The first event id of the request. Null if the ids were generated for this request: then none is looked up.
  ids_to_look_up uuid[],
  -- Number of the request, from 1.
  event_requests integer[],
  -- Place among the events of the session in this batch, from 1; null for an event without a sequence.
  session_places integer[],
  event_ids uuid[],
  types text[],
  schema_versions smallint[],
  expiring boolean[],
  occurred_ats timestamptz[],
  -- The fingerprint of the request, on its first event. Looking it up in the array above would be linear for each
  -- event.
  event_fingerprints text[],
  -- Known to the caller, so that the log need not parse event data, which tenants write: whether the event is a turn of
  -- the end user (null: read it from the event), and the expiry in days that an event of a memory sets, and whether it
  -- applies to existing events.
  user_turns boolean[],
  memory_days integer[],
  for_existing boolean[],
  -- A JSON array with one element per event, stored verbatim.
  data json,
  -- The time of the events; null: now. Set if rows were stamped with it earlier in the transaction.
  recorded timestamptz
)
returns json language plpgsql security definer set search_path from current
-- One plan of index lookups for all batches. It depends neither on statistics nor on the first batch.
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
  -- Why a request is not stored; null: it can be.
  judgements json[];
  -- Arrays that are indexed per event contain no nulls, because an element is then found without a scan. 0 means none.
  session_keys bigint[];
  newest bigint[];
  expiry_days integer[];
  all_good boolean;
  opening boolean;
begin
  if current_setting('role', true) in ('turnkeeper_app', 'turnkeeper_restricted')
    and exists (select from unnest(tenant_ids) as t (id) where t.id is distinct from current_tenant()) then
    raise exception 'this connection works for another tenant' using errcode = 'insufficient_privilege';
  end if;

  -- 'TURN', and the partition.
  perform pg_advisory_xact_lock(1414877774, 0);
  waited := extract(epoch from clock_timestamp() - asked) * 1000;
  stamp := coalesce(recorded, date_trunc('milliseconds', clock_timestamp()));

  -- Aggregated in the order of unnest, which nothing here changes.
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
            -- Erased, and about to be deleted.
            when exists (
              select from closed_sessions c
              where c.session_key = e.session_key and c.reason in ('session_erased', 'actor_erased')
            ) then json_build_object('outcome', 'content_erased')
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
        when r.has_erased_event then json_build_object('outcome', 'content_erased')
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
          -- The later ids too: the unique key would wait for a row that a purge is deleting.
          case when u.id_to_look_up is not null and u.event_count > 1 then coalesce((
            select true
            from unnest(event_ids[u.first_event + 1 : u.first_event + u.event_count - 1]) as i (id)
            where (select e.position from events e where e.tenant_id = u.tenant_id and e.event_id = i.id) is not null
            limit 1
          ), false) else false end as has_stored_event,
          case when u.id_to_look_up is not null then coalesce((
            select true
            from unnest(event_ids[u.first_event : u.first_event + u.event_count - 1]) as i (id)
            where (select x.until from erased_event_ids x where x.tenant_id = u.tenant_id and x.event_id = i.id)
              is not null
            limit 1
          ), false) else false end as has_erased_event,
          -- Null while the agent is running.
          case when u.agent_id is not null then (
            select e.type from events e
            where e.type in ('agent.stopped', 'agent.failed') and well_formed(e.data) ->> 'agentId' = u.agent_id::text
              and e.tenant_id = u.tenant_id
            limit 1
          ) end as ended_by,
          -- Null if the memory does not exist or is closed.
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
        -- Optimization fences: each lookup runs once, not once per reference.
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

  -- Events of a memory change how it accepts events from the next batch on. Rows of memory_gates change under this lock
  -- only, so nothing here waits for another transaction.
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

-- Where the trace of a sampled request continues: one row for each event that a later step may work on. Written before
-- the event is appended, read by the relay and by jobs, deleted after an hour. Empty without tracing.
create table trace_contexts (
  event_id uuid primary key,
  traceparent text not null,
  noted_at timestamptz not null default now()
);
create index trace_contexts_by_age on trace_contexts (noted_at);

-- == The log: read ==

-- Plans are made on the first call, when the log may be empty, and are kept until the first ANALYZE. Pages are
-- therefore read in the order of positions, which only one index provides, and joins are lookups with LIMIT, which the
-- planner cannot turn into a join with the whole partition.

-- The newest position of the log; 0 if it is empty. A deleted event still counts.
create or replace function head_position() returns bigint language plpgsql stable
set search_path from current set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
begin
  return greatest(
    (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
    (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
    0
  );
end $$;

-- With row-level security, a tenant's connection would read the log backwards to that tenant's newest event. The owner of
-- the table finds the newest event of all at once.
create or replace function newest_position() returns bigint
language sql stable security definer set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
begin atomic
  select coalesce((select e.position from events e where e.partition = 0 order by e.position desc limit 1), 0);
end;

create or replace function read_log(after bigint, most integer, only_types text[], through bigint)
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
  expires_at timestamptz
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
begin
  return query
  select
    e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.tenant_id, e.memory_id,
    s.actor_id, s.session_id, e.type, e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at
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
  limit most;
end $$;

-- Ends with the event that brings the page to `most_bytes`. Returns at least one event if there is one.
create or replace function read_log_page(after bigint, most integer, only_types text[], through bigint, most_bytes integer)
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

create or replace function read_references(after bigint, most integer)
returns table (
  "position" double precision,
  sequence double precision,
  session_key double precision,
  event_id uuid,
  type text,
  tenant_id uuid,
  memory_id uuid
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
  select e.position::float8, e.sequence::float8, e.session_key::float8, e.event_id, e.type, e.tenant_id, e.memory_id
  from events e
  where e.partition = 0 and e.position > after and (e.expires_at is null or e.expires_at > now())
  order by e.position
  limit most;
end $$;

-- The first position recorded within this time, found by bisection: positions follow time, and time has no index. The
-- position after the head if there is none.
create or replace function position_since(age interval) returns bigint language plpgsql stable as $$
declare
  since constant timestamptz := now() - age;
  low bigint := 1;
  high bigint := coalesce((select position from events where partition = 0 order by position desc limit 1), 0) + 1;
  middle bigint;
  nearest record;
begin
  while low < high loop
    middle := (low + high) / 2;
    select e.position, e.recorded_at into nearest from events e
     where e.partition = 0 and e.position >= middle order by e.position limit 1;
    if not found or nearest.position >= high or nearest.recorded_at >= since then
      high := middle;
    else
      low := nearest.position + 1;
    end if;
  end loop;
  return low;
end $$;

-- A page of a session: numbered, unexpired events that match the filter, in the order of their sequence numbers, until
-- `most` rows or `most_bytes` of data. `beyond` marks one more row, without data, if there is more. Reads only the
-- requested part of the index of sessions.
create or replace function read_session_page(
  tenant uuid, memory uuid, actor text, session text, after bigint, before bigint, only_types text[],
  earliest timestamptz, latest timestamptz, newest_first boolean, skip bigint, most bigint, most_bytes bigint
) returns table(
  "position" double precision, sequence double precision, session_key double precision, event_id uuid, tenant_id uuid,
  memory_id uuid, actor_id text, session_id text, type text, schema_version smallint, data json,
  occurred_at timestamptz, recorded_at timestamptz, expires_at timestamptz, bytes double precision, beyond boolean
) language plpgsql stable
  set plan_cache_mode to 'force_generic_plan'
  set enable_seqscan to 'off'
  set enable_bitmapscan to 'off'
  set enable_sort to 'off'
  set jit to 'off'
as $$
#variable_conflict use_column
declare
  wanted bigint;
  rows_read bigint := 0;
  bytes_read double precision := 0;
  matches refcursor;
begin
  select s.session_key into wanted from sessions s
   where s.tenant_id = tenant and s.memory_id = memory and s.actor_id = actor and s.session_id = session;
  if newest_first then
    open matches no scroll for
      select e.position, e.sequence, e.session_key, e.event_id, e.tenant_id, e.memory_id, actor, session, e.type,
             e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at, octet_length(e.data::text), false
        from events e
       where e.session_key = wanted and e.sequence > coalesce(after, -1)
         and e.sequence < coalesce(before, 9223372036854775807)
         and (e.expires_at is null or e.expires_at > now()) and (only_types is null or e.type = any (only_types))
         and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
         and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
       order by e.sequence desc offset skip limit most + 1;
  else
    open matches no scroll for
      select e.position, e.sequence, e.session_key, e.event_id, e.tenant_id, e.memory_id, actor, session, e.type,
             e.schema_version, e.data, e.occurred_at, e.recorded_at, e.expires_at, octet_length(e.data::text), false
        from events e
       where e.session_key = wanted and e.sequence > coalesce(after, -1)
         and e.sequence < coalesce(before, 9223372036854775807)
         and (e.expires_at is null or e.expires_at > now()) and (only_types is null or e.type = any (only_types))
         and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
         and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
       order by e.sequence asc offset skip limit most + 1;
  end if;
  loop
    fetch matches into position, sequence, session_key, event_id, tenant_id, memory_id, actor_id, session_id, type,
      schema_version, data, occurred_at, recorded_at, expires_at, bytes, beyond;
    exit when not found;
    if rows_read >= most or bytes_read >= most_bytes then
      data := null;
      beyond := true;
      return next;
      exit;
    end if;
    return next;
    rows_read := rows_read + 1;
    bytes_read := bytes_read + bytes;
  end loop;
  close matches;
end $$;

-- The number of events that `read_session_page` would read in all.
create or replace function count_session_events(
  tenant uuid, memory uuid, actor text, session text, only_types text[], earliest timestamptz, latest timestamptz
) returns double precision language sql stable
  set enable_seqscan to 'off'
  set enable_bitmapscan to 'off'
  set jit to 'off'
as $$
  select count(*)::float8 from events e
   where e.session_key = (select s.session_key from sessions s
                           where s.tenant_id = tenant and s.memory_id = memory and s.actor_id = actor
                             and s.session_id = session)
     and e.sequence is not null and (e.expires_at is null or e.expires_at > now())
     and (only_types is null or e.type = any (only_types))
     and (earliest is null or coalesce(e.occurred_at, e.recorded_at) >= earliest)
     and (latest is null or coalesce(e.occurred_at, e.recorded_at) <= latest)
$$;

-- The interruptions of messages, each list in the order of its session; only messages that have any.
-- for_tenant null: of all tenants, for the indexers. `through`: only those up to a position; null: all.
create or replace function interruptions_of(for_tenant uuid, session_keys bigint[], message_ids uuid[], through bigint)
returns table (session_key bigint, event_id uuid, interruptions json)
language plpgsql stable security definer rows 1 set search_path from current
set jit = off set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  if tenant_allowed(for_tenant) is not true then
    return;
  end if;
  return query
  select a.session_key, a.event_id, json_agg(i.data order by i.sequence)
  from unnest(session_keys, message_ids) as a (session_key, event_id)
  cross join lateral (
    select e.* from events e
    where e.type = 'message.interrupted' and e.session_key = a.session_key
      and well_formed(e.data) ->> 'messageEventId' = a.event_id::text
    offset 0
  ) i
  where (for_tenant is null or i.tenant_id = for_tenant) and (through is null or i.position <= through)
  group by a.session_key, a.event_id;
end $$;

-- == The log: relay to JetStream ==

-- How far each reader that publishes the log has read.
create table relay_cursor (
  name text not null,
  position bigint not null,
  -- State of the stream when it was last known to hold everything that was published.
  stream_mark jsonb,
  primary key (name)
);

-- The pages that the relay published. The id of a message names its memory and its first and last position within a
-- page, so lost messages can be published again under the same ids.
create table relay_pages (
  name text not null,
  -- Positions after `after` up to and including `through` were published, in pages that ended at these positions.
  after bigint not null,
  through bigint not null,
  ends bigint[] not null,
  published_at timestamptz not null default now(),
  primary key (name, through)
);
create index relay_pages_by_age on relay_pages (name, published_at);

-- == The log: erasure and expiry ==

-- Erasure is a set of functions, so that a role can erase in these ways only.

-- Sessions that were erased or belong to a deleted memory. Their events can no longer be read and are deleted in
-- batches.
create table closed_sessions (
  session_key bigint not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  reason text not null,
  at timestamptz not null,
  -- When its last event was deleted.
  purged_at timestamptz,
  primary key (session_key)
);
create index closed_sessions_purged on closed_sessions (purged_at) where purged_at is not null;
create index closed_sessions_unpurged on closed_sessions (memory_id, session_key) where purged_at is null;

-- The session id that the client used. Hidden sessions, for content submitted for extraction, store it after a marker.
create or replace function session_name(session_id text) returns text language sql immutable parallel safe as $$
  select case when starts_with(session_id, chr(1)) then split_part(session_id, chr(1), 3) else session_id end;
$$;

-- These functions run as the owner. For turnkeeper_app they act on its current tenant only.
create or replace function lock_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text)
returns setof bigint language sql security definer set search_path from current as $$
  select session_key from sessions
  where tenant_id = for_tenant and memory_id = of_memory and actor_id = of_actor
    and (of_session is null or of_session in (session_id, session_name(session_id)))
    and reach_allowed(for_tenant, of_memory)
  order by session_key
  for update;
$$;

-- Does not lock the head of the log: a concurrent append still finds the sessions, and its events are deleted with
-- them; a later one creates new sessions. Replaced mappings of the scope are deleted, too.
create or replace function close_sessions(for_tenant uuid, of_memory uuid, of_actor text, of_session text, why text)
returns setof bigint language plpgsql security definer set search_path from current as $$
begin
  delete from replaced_instances i using connectors c
  where c.connector_id = i.connector_id and c.tenant_id = for_tenant and c.memory_id = of_memory
    and i.actor_id = of_actor and (of_session is null or i.session_id = of_session)
    and reach_allowed(for_tenant, of_memory);
  return query
  with gone as (
    delete from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and s.actor_id = of_actor
      and (of_session is null or of_session in (s.session_id, session_name(s.session_id)))
      and reach_allowed(for_tenant, of_memory)
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

create or replace function redact_event(for_tenant uuid, of_event uuid, redacted json)
returns void language plpgsql security definer set search_path from current as $$
begin
  perform set_config('turnkeeper.change', 'redaction', true);
  update events e set data = redacted, redacted_at = clock_timestamp()
  where e.event_id = of_event and e.tenant_id = for_tenant and e.sequence is null and tenant_allowed(for_tenant);
  perform set_config('turnkeeper.change', '', true);
end $$;

-- Applies a changed expiry to a limited number of existing events, of one memory or of any. False if there is nothing
-- to do. Locks no row of memory_gates, which an append may change.
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
  -- Read again under the lock. A later change covers everything that an earlier one would.
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

-- Deletes the next events of deleted memories and returns how many; null if there is nothing to do.
create or replace function purge_deleted_memories(most integer)
returns integer language plpgsql security definer set search_path from current as $$
declare
  memory uuid;
  keys bigint[];
  total integer;
begin
  select g.memory_id into memory from memory_gates g
  where g.closed_at is not null and g.purged_at is null
  order by g.memory_id limit 1 for update skip locked;
  if memory is null then
    return null;
  end if;
  with gone as (
    delete from sessions s where s.session_key = any (array(
      select i.session_key from sessions i where i.memory_id = memory limit 1000
    ))
    returning s.session_key, s.tenant_id, s.memory_id
  )
  insert into closed_sessions (session_key, tenant_id, memory_id, reason, at)
  select g.session_key, g.tenant_id, g.memory_id, 'memory_deleted', clock_timestamp() from gone g;
  select array_agg(c.session_key) into keys from closed_sessions c where c.memory_id = memory and c.purged_at is null;
  total := purge_sessions(coalesce(keys, '{}'), most);
  if total > 0 or keys is not null then
    return total;
  end if;
  perform set_config('turnkeeper.tombstone_reason', 'memory_deleted', true);
  delete from events e where e.memory_id = memory and e.session_key is null and e.type <> 'memory.deleted';
  get diagnostics total = row_count;
  update memory_gates g set purged_at = clock_timestamp() where g.memory_id = memory;
  return total;
end $$;

-- The plan is fixed, and the time is read once: compared with a volatile clock, the index would be read to its end.
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

-- Deletes closed sessions whose tombstones are merged, and returns how many were checked.
create or replace function forget_closed_sessions(days integer, most integer)
returns integer language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  due constant timestamptz := clock_timestamp() - make_interval(days => days);
  keys bigint[];
begin
  perform set_config('turnkeeper.change', 'burial', true);
  select array_agg(d.session_key) into keys from (
    select c.session_key from closed_sessions c where c.purged_at < due
      -- Its tombstones are at least as old as the session itself, so wait for the merge. The newest one may be the
      -- head.
      and not exists (select from tombstones t where not t.kept and t.at <= c.purged_at)
    order by c.purged_at limit most for update skip locked
  ) d;
  -- A tombstone kept before the session was erased is merged by the next run.
  update tombstones t set kept = false where t.session_key = any (keys) and t.sequence is not null and t.kept;
  delete from buried_sequences b where b.session_key = any (keys);
  delete from closed_sessions c where c.session_key = any (keys)
    and not exists (select from tombstones t where t.session_key = c.session_key and t.sequence is not null);
  perform set_config('turnkeeper.change', '', true);
  return coalesce(array_length(keys, 1), 0);
end $$;

-- == The log: merged tombstones ==

-- Tombstones older than a retention are merged into ranges: of positions, so that every gap in the log stays explained,
-- and of sequences of a session, so that the source of a record is still known to have expired. The tombstone with the
-- highest sequence of a session without newer events stays and is marked `kept`: an append continues from it.
create table buried_positions (
  partition smallint not null,
  first bigint not null,
  last bigint not null,
  -- Why events of the range were deleted, and when the last of them was.
  reasons text[] not null,
  at timestamptz not null,
  primary key (partition, first),
  unique (partition, last),
  check (first <= last)
);

create table buried_sequences (
  session_key bigint not null,
  tenant_id uuid not null,
  first bigint not null,
  last bigint not null,
  reason text not null,
  primary key (session_key, first),
  unique (session_key, last),
  check (first <= last)
);

-- Merges a limited number of tombstones older than `days` and returns how many were checked; 0: nothing is left, or
-- another process is merging. A tombstone at the head of the log is never merged, because the head is read from it.
create or replace function merge_tombstones(days integer, most integer)
returns integer language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  due constant timestamptz := clock_timestamp() - make_interval(days => days);
  newest bigint;
  places bigint[];
  looked integer;
begin
  if not pg_try_advisory_xact_lock(1414877774, 2) then
    return 0;
  end if;
  perform set_config('turnkeeper.change', 'burial', true);
  select t.position into newest from tombstones t where t.partition = 0 order by t.position desc limit 1;
  if exists (select from events e where e.partition = 0 and e.position > newest) then
    newest := null;
  end if;
  select array_agg(d.position) into places from (
    select t.position from tombstones t where not t.kept and t.at < due order by t.at limit most
  ) d;
  looked := coalesce(array_length(places, 1), 0);
  if looked = 0 or places = array[newest] then
    perform set_config('turnkeeper.change', '', true);
    return 0;
  end if;
  if newest is not null then
    places := array_remove(places, newest);
  end if;

  -- Keep the highest sequence of a session that was not erased: nothing else records where it continues.
  update tombstones t set kept = true
  where t.partition = 0 and t.position = any (places) and t.sequence is not null
    and not exists (select from events e where e.session_key = t.session_key and e.sequence > t.sequence)
    and not exists (select from tombstones h where h.session_key = t.session_key and h.sequence > t.sequence)
    and exists (select from sessions s where s.session_key = t.session_key);

  with gone as materialized (
    delete from tombstones t where t.partition = 0 and t.position = any (array(
      select d.position from unnest(places) as d (position)
      join tombstones own on own.partition = 0 and own.position = d.position and not own.kept
      union
      -- Kept before the session had one with a higher sequence.
      select k.position from unnest(places) as d (position)
      join tombstones own on own.partition = 0 and own.position = d.position and own.sequence is not null
      join tombstones k on k.session_key = own.session_key and k.sequence < own.sequence and k.kept
    ))
    returning t.position, t.tenant_id, t.session_key, t.sequence, t.reason, t.at
  ), islands as materialized (
    select unnest(range_agg(int8range(g.position, g.position + 1))) as r from gone g
  ), beside as (
    delete from buried_positions b where b.partition = 0 and b.first = any (array(
      select l.first from islands i join buried_positions l on l.partition = 0 and l.last = lower(i.r) - 1
      union all
      select upper(i.r) from islands i
    ))
    returning b.first, b.last, b.reasons, b.at
  ), parts as materialized (
    select g.position as first, g.position as last, array[g.reason] as reasons, g.at from gone g
    union all
    select b.first, b.last, b.reasons, b.at from beside b
  ), ordered as (
    select p.*, p.first > 1 + max(p.last) over (order by p.first rows between unbounded preceding and 1 preceding)
      as starts from parts p
  ), numbered as (
    select o.*, count(*) filter (where o.starts) over (order by o.first) as island from ordered o
  ), positions as (
    insert into buried_positions (partition, first, last, reasons, at)
    select 0, min(n.first), max(n.last), array(
             select distinct x from numbered o, unnest(o.reasons) x where o.island = n.island order by x
           ), max(n.at)
    from numbered n group by n.island
  ), numbers as materialized (
    -- An erased session never continues, and its records are deleted.
    select g.session_key, g.tenant_id, g.sequence as first, g.sequence as last, g.reason from gone g
    where g.sequence is not null and exists (select from sessions s where s.session_key = g.session_key)
  ), neighbours as (
    delete from buried_sequences b where b.ctid = any (array(
      select l.ctid from numbers n
      join buried_sequences l on l.session_key = n.session_key and l.last = n.first - 1 and l.reason = n.reason
      union
      select h.ctid from numbers n
      join buried_sequences h on h.session_key = n.session_key and h.first = n.last + 1 and h.reason = n.reason
    ))
    returning b.session_key, b.tenant_id, b.first, b.last, b.reason
  ), all_numbers as (
    select * from numbers union all select * from neighbours
  ), sequences as (
    select a.*, a.first > 1 + max(a.last) over (
      partition by a.session_key, a.reason order by a.first rows between unbounded preceding and 1 preceding
    ) as starts from all_numbers a
  ), runs as (
    select s.*, count(*) filter (where s.starts) over (partition by s.session_key, s.reason order by s.first) as run
    from sequences s
  )
  insert into buried_sequences (session_key, tenant_id, first, last, reason)
  select r.session_key, (array_agg(r.tenant_id))[1], min(r.first), max(r.last), r.reason
  from runs r group by r.session_key, r.reason, r.run;
  perform set_config('turnkeeper.change', '', true);
  return looked;
end $$;

create trigger buried_positions_stay before insert or update or delete on buried_positions
  for each statement execute function refuse_unless_meant('burial');

create trigger buried_sequences_stay before insert or update or delete on buried_sequences
  for each statement execute function refuse_unless_meant('burial');

-- == Search: question index ==

-- How far the index of this name has read the log.
create table question_cursor (
  name text not null,
  position bigint not null,
  primary key (name)
);
insert into question_cursor (name, position) values ('turns', 0), ('activity', 0);

create or replace function question_words(type text, data json) returns text language sql immutable parallel safe as $$
  select case when is_user_turn(type, data) then nullif(well_formed(data) ->> 'content', '') end;
$$;

-- == Search: turn index ==

-- Whether an event is a turn of the end user, for events that do not store it.
create or replace function is_user_turn(type text, data json) returns boolean language sql immutable parallel safe as $$
  select type = 'message.appended' and lower(well_formed(data) ->> 'role') in ('user', 'human');
$$;

-- The tenant is part of every hash, so that the words of a memory cannot be searched in the name of another tenant.
create or replace function turn_memory(for_tenant uuid, of_memory uuid) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(of_memory::text, hashtextextended(for_tenant::text, 0));
$$;

-- One row per stretch of a session: `data` holds its turns one after the other (libs/postgres/src/search/turns/turn-segment.ts),
-- with a 32-bit hash of each word.
create table turn_segments (
  session_key bigint not null,
  first_sequence bigint not null,
  -- At least as large as those of the turns: the last ones may have been erased.
  last_sequence bigint not null,
  last_place integer not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_key bigint not null,
  turns integer not null,
  words bigint not null,
  first_day integer not null,
  last_day integer not null,
  -- Turns name them by number. '': of no turn any more.
  speakers text[] not null,
  -- Of the session up to here.
  languages text[] not null,
  -- Hashes of all words of the turns, ascending. Empty until it is sealed: its words are then looked for in its data.
  terms integer[] not null,
  data bytea not null,
  -- Nothing is added for now: it is full, or the session is quiet. Others have no entries in the index of terms.
  is_sealed boolean not null,
  changed_at timestamptz not null default now(),
  -- Positions of the first and last question.
  first_position bigint not null,
  last_position bigint not null,
  primary key (session_key, first_sequence)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05);
-- Hashes do not compress.
alter table turn_segments alter data set storage external, alter terms set storage external;

create index turn_segments_by_term on turn_segments using gin (terms) where is_sealed;
-- A question that many ask is found in the first or last segments of the memory, any other by its term.
create index turn_segments_from_first on turn_segments (memory_id, first_position) where is_sealed;
create index turn_segments_from_last on turn_segments (memory_id, last_position) where is_sealed;
create index turn_segments_of_actor on turn_segments (memory_id, actor_key);
create index turn_segments_unsealed on turn_segments (memory_id) where not is_sealed;

-- The turns in the data of a segment. If bit 32 of the traits is set, the hash of the text of a user's turn is behind its
-- terms.
create or replace function turns_in(data bytea)
returns table (at integer, size integer, place integer, sequence bigint, day integer, words integer, traits integer,
               language integer, speaker integer, terms integer, repeated integer)
language plpgsql immutable parallel safe as $$
begin
  at := 0;
  while at < length(data) loop
    terms := get_byte(data, at) << 8 | get_byte(data, at + 1);
    repeated := get_byte(data, at + 2) << 8 | get_byte(data, at + 3);
    place := ('x' || encode(substring(data from at + 5 for 4), 'hex'))::bit(32)::bigint;
    sequence := ('x' || encode(substring(data from at + 9 for 4), 'hex'))::bit(32)::bigint;
    day := ('x' || encode(substring(data from at + 13 for 4), 'hex'))::bit(32)::integer;
    words := get_byte(data, at + 16) << 8 | get_byte(data, at + 17);
    traits := get_byte(data, at + 18);
    language := get_byte(data, at + 19);
    speaker := get_byte(data, at + 20);
    size := 21 + 4 * (terms + repeated + (traits >> 5 & 1));
    return next;
    at := at + size;
  end loop;
end $$;

-- Terms of the turns in the data of a segment; `count` of a turn's term is how often it has it.
create or replace function terms_in(data bytea)
returns table (sequence bigint, term integer, count integer)
language sql immutable parallel safe as $$
  select t.sequence, ('x' || encode(substring(data from t.at + 22 + 4 * n for 4), 'hex'))::bit(32)::integer,
         coalesce((
           select get_byte(data, r.at + 2) << 8 | get_byte(data, r.at + 3)
           from generate_series(t.at + 21 + 4 * t.terms, t.at + 17 + 4 * (t.terms + t.repeated), 4) as r (at)
           where (get_byte(data, r.at) << 8 | get_byte(data, r.at + 1)) = n
         ), 1)
  from turns_in(data) t cross join lateral generate_series(0, t.terms - 1) as n
  union all
  select t.sequence, ('x' || encode(substring(data from t.at + t.size - 3 for 4), 'hex'))::bit(32)::integer, 1
  from turns_in(data) t where t.traits & 32 > 0;
$$;

-- The term of a question: the hash of its whole text, behind the words of a user's turn and among the terms of the segment.
create or replace function question_term(for_tenant uuid, of_memory uuid, words text) returns integer
language sql immutable parallel safe as $$
  -- No word has a question mark.
  select (hashtextextended('?' || words, turn_memory(for_tenant, of_memory)) & 4294967295)::bit(32)::integer;
$$;

-- Reads the indexed sessions of a scope once. `asked` is 0 unless the index is so far behind that
-- the caller chooses between reading these sessions and the tail of the log, or a session is given.
create or replace function turn_scope(for_tenant uuid, of_memory uuid, of_actor text, of_session text, most_sessions integer)
returns table (
  indexed double precision, head double precision, asked double precision, sessions double precision,
  turns double precision, words double precision, first_day integer, last_day integer, speakers text[], languages text[],
  session_key double precision
)
language plpgsql stable set search_path from current
set jit = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  with reached as materialized (
    select c.position::float8 as indexed, newest_position()::float8 as head from question_cursor c where c.name = 'turns'
  ), asked as materialized (
    select s.session_key from sessions s
    where s.tenant_id = for_tenant and s.memory_id = of_memory and of_actor is not null and s.actor_id = of_actor
      and (of_session is null or s.session_id = of_session)
      -- `TAIL` in turn-search.sql.ts
      and (of_session is not null or (select r.head - r.indexed > 2000 from reached r))
    limit most_sessions
  ), scoped as (
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from asked a
    -- A lateral subquery with `offset` is a lookup per session; a join may read the rows of all tenants.
    cross join lateral (select i.* from turn_segments i where i.session_key = a.session_key offset 0) t
    where of_session is not null and t.tenant_id = for_tenant
    union all
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from turn_segments t
    where of_actor is not null and of_session is null and t.memory_id = of_memory and t.tenant_id = for_tenant
      and t.actor_key = hashtextextended(of_actor, turn_memory(for_tenant, of_memory))
    union all
    select t.session_key, t.turns, t.words, t.first_day, t.last_day, t.speakers, t.languages from turn_segments t
    where of_actor is null and t.memory_id = of_memory and t.tenant_id = for_tenant
  ), alike as materialized (
    -- Most segments have the same speakers and languages.
    select s.speakers, s.languages, count(*) as n, sum(s.turns) as turns, sum(s.words) as words,
           min(s.first_day) as first_day, max(s.last_day) as last_day
    from scoped s group by s.speakers, s.languages
  ), counted as (
    select coalesce(sum(a.n), 0) as n, coalesce(sum(a.turns), 0) as turns, coalesce(sum(a.words), 0) as words,
      min(a.first_day) as first_day, max(a.last_day) as last_day
    from alike a
  )
  select r.indexed, r.head, (select count(*) from asked)::float8,
    (select count(distinct s.session_key) from scoped s)::float8, c.turns::float8, c.words::float8,
    c.first_day, c.last_day,
    array(select distinct x from alike a, unnest(a.speakers) x where x <> '' order by x limit 100),
    -- A turn in another language now and then does not have every question read in that language as well.
    array(select x from alike a, unnest(a.languages) x group by x having 10 * sum(a.n) >= c.n
          order by sum(a.n) desc, x limit 3),
    case when of_session is not null then (select a.session_key from asked a)::float8 end
  from reached r cross join counted c;
end $$;

-- The position of the answer to a question of a session: the directly following message, if it is the assistant's and
-- something of it was heard. Null: there is none, or a reset hides it.
create or replace function answer_after(for_tenant uuid, key bigint, asked bigint) returns bigint
language plpgsql stable security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
  answer events;
  heard text;
begin
  if tenant_allowed(for_tenant) is not true then
    return null;
  end if;
  select e.* into answer from events e
  -- Few events that are no messages are between them.
  where e.session_key = key and e.sequence > asked and e.sequence <= asked + 64
    and e.type = 'message.appended' and (e.expires_at is null or e.expires_at > now())
  order by e.sequence limit 1;
  if answer.tenant_id is distinct from for_tenant
    or lower(well_formed(answer.data) ->> 'role') not in ('assistant', 'ai')
    or coalesce(well_formed(answer.data) ->> 'content', '') = '' then
    return null;
  end if;
  -- The newest interruption that says what was heard does not say nothing.
  select x.of ->> 'heard' into heard
  from interruptions_of(for_tenant, array[key], array[answer.event_id], null) c
  cross join lateral json_array_elements(well_formed(c.interruptions)) with ordinality x (of, n)
  where x.of ->> 'heard' is not null order by x.n desc limit 1;
  if heard = '' or exists (
    select from events r
    where r.session_key = key and r.sequence > asked and r.type = 'history.reset' and well_formed(r.data) ->> 'agentId' is null
  ) then
    return null;
  end if;
  return answer.position;
end $$;

-- Empties the index, which is then built again from the log.
create or replace function drop_turns() returns void
language plpgsql security definer set search_path from current as $$
begin
  perform from question_cursor c where c.name = 'turns' for update;
  truncate turn_segments;
  update question_cursor set position = 0 where name = 'turns';
end $$;

-- == Search: turn vectors ==

-- Vectors of turns, so that a question also finds turns with the same meaning in other words. The worker embeds the
-- turns of the log in order, for each model; a search reads the vectors of the turns that words have found. Without a
-- model both tables are empty.
create table embedding_models (
  model_id integer not null generated always as identity,
  -- Vectors of different models cannot be compared.
  model text not null,
  dimensions integer not null,
  -- How far the log is embedded with this model.
  position bigint not null default 0,
  -- Whether it has reached the head of the log once. From then on its vectors are used, and those of earlier models are
  -- deleted.
  complete boolean not null default false,
  created_at timestamptz not null default now(),
  -- The same for the vectors of records.
  records_position bigint not null default 0,
  records_complete boolean not null default false,
  primary key (model_id),
  unique (model)
);

-- Rows are inserted and deleted, never updated.
create table turn_vectors (
  session_key bigint not null,
  sequence bigint not null,
  model_id integer not null,
  tenant_id uuid not null,
  -- One signed byte per dimension.
  vector bytea not null,
  primary key (session_key, sequence, model_id),
  foreign key (model_id) references embedding_models(model_id)
);
create index turn_vectors_of_model on turn_vectors (model_id);

-- Stores vectors of events after one position and up to another. Returns the position of the model, or null if another
-- process is storing. `vectors`: [{position, vector}], in base64.
-- A vector without a value is deleted: nothing of the turn was heard. Positions up to `after_position` are those of turns
-- that an interruption has cut since.
create or replace function keep_turn_vectors(of_model integer, after_position bigint, upto_position bigint, vectors json)
returns bigint
language plpgsql security definer set search_path from current as $$
declare
  reached bigint;
  upto bigint := upto_position;
  wanted bigint[];
  held bigint[];
begin
  select m.position into reached from embedding_models m where m.model_id = of_model for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  select array_agg((v ->> 'position')::bigint) into wanted from json_array_elements(vectors) v;
  -- The events are locked until the commit: a later deletion finds the rows written here. An event that is being
  -- deleted ends this batch before it.
  select array_agg(e.position) into held from (
    select i.position from events i where i.partition = 0 and i.position = any (wanted) for key share skip locked
  ) e;
  select least(upto, min(e.position) - 1) into upto from events e
  where e.partition = 0 and e.position = any (wanted) and e.position > after_position
    and e.position <> all (coalesce(held, '{}'));
  upto := coalesce(upto, upto_position);
  delete from turn_vectors t
  using json_to_recordset(vectors) as v (position bigint, vector text), events e
  where v.position = any (held) and v.position <= upto and v.vector is null
    and e.partition = 0 and e.position = v.position
    and t.session_key = e.session_key and t.sequence = e.sequence and t.model_id = of_model;
  insert into turn_vectors as t (session_key, sequence, model_id, tenant_id, vector)
  select e.session_key, e.sequence, of_model, e.tenant_id, decode(v.vector, 'base64')
  from json_to_recordset(vectors) as v (position bigint, vector text)
  join events e on e.partition = 0 and e.position = v.position
  where v.position <= upto and v.position = any (held) and v.vector is not null
  on conflict (session_key, sequence, model_id) do update set vector = excluded.vector
  where t.vector is distinct from excluded.vector;
  update embedding_models m set position = upto where m.model_id = of_model;
  return upto;
end $$;

-- Deleting an event deletes its vectors.
create or replace function forget_turn_vectors() returns trigger language plpgsql security definer
set search_path from current as $$
begin
  delete from turn_vectors v using gone g where v.session_key = g.session_key and v.sequence = g.sequence;
  return null;
end $$;

create trigger forget_turn_vectors after delete on events
  referencing old table as gone for each statement execute function forget_turn_vectors();

-- == Projections: memories ==

-- Computed from the log; a rebuild computes them again.
create table memories (
  memory_id uuid not null,
  tenant_id uuid not null,
  name text not null,
  description text not null,
  event_expiry_duration integer not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (memory_id)
);
create index memories_by_expiry on memories (event_expiry_duration);
create index memories_by_tenant on memories (tenant_id, created_at desc, memory_id);
create index memories_deleted on memories (memory_id) where status = 'DELETED';

create table strategies (
  strategy_id uuid not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  ordinal integer not null,
  name text not null,
  type text not null,
  version integer not null,
  namespace_template text not null,
  automatic boolean not null,
  custom_prompt text,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- How a SUMMARY strategy maintains the rolling memory of a session.
  rolling json,
  output_schema json,
  primary key (strategy_id),
  foreign key (memory_id) references memories(memory_id) on delete cascade
);
create index strategies_by_memory on strategies (memory_id, ordinal);

-- The sum of the captured states of a realtime session.
create table rolling_sessions (
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_id text not null,
  session_id text not null,
  version bigint not null,
  facts json not null,
  aged_facts json not null,
  summary text not null,
  first_captured_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (memory_id, actor_id, session_id)
);

-- == Projections: agents ==

create table agents (
  agent_id uuid not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_id text not null,
  session_id text not null,
  name text not null,
  vendor text not null,
  status text not null,
  max_history integer not null,
  channel text,
  system_messages json not null,
  params json not null,
  labels json not null,
  started_sequence bigint not null,
  started_at timestamptz not null,
  stopped_sequence bigint,
  stopped_at timestamptz,
  stop_reason text,
  idle_timeout_seconds integer not null default 0,
  load_history integer not null default 0,
  -- The voice platform's project under which it was started.
  app_id text,
  updated_at timestamptz,
  -- The agent id of the voice platform, for agents of connectors. Webhooks contain it, and clients of the platform look
  -- agents up by it.
  vendor_agent_id text,
  primary key (agent_id)
);
create index agents_by_session on agents (memory_id, actor_id, session_id);
create index agents_by_tenant on agents (tenant_id, started_at desc, agent_id);
create index agents_by_vendor_id on agents (tenant_id, vendor_agent_id) where vendor_agent_id is not null;
create unique index agents_running_name on agents (tenant_id, coalesce(app_id, ''), name) where status = 'RUNNING';

-- When to check whether a running agent is idle. Appends do not update it.
create table agent_idle_watches (
  agent_id uuid not null,
  tenant_id uuid not null,
  due_at timestamptz not null,
  primary key (agent_id),
  foreign key (agent_id) references agents(agent_id) on delete cascade
);
create index agent_idle_watches_due on agent_idle_watches (due_at);

-- Sets the session sequence of an agent's start or end, between the append of that event and the commit. The caller has
-- written, and so locked, the agent's row.
create or replace function settle_agent(of_agent uuid, of_event uuid) returns void language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  update agents a
  set started_sequence = case when e.type = 'agent.started' then e.sequence else a.started_sequence end,
      stopped_sequence = case when e.type = 'agent.started' then a.stopped_sequence else e.sequence end
  from events e
  where a.agent_id = of_agent and e.tenant_id = a.tenant_id and e.event_id = of_event
    and e.type in ('agent.started', 'agent.stopped', 'agent.failed');
end $$;

-- == Projections: records ==

-- A stem without the endings that Snowball leaves: shipment as shipping, delivery as deliver.
create or replace function record_root(stem text) returns text language sql immutable parallel safe
begin atomic
  select regexp_replace(stem, '(?<=....)(ment|i)$', '');
end;

-- Records are found by their words through an index that knows their namespace: each word is stored as a number that
-- stands for it within a memory and a namespace, so a search reads the records of its own namespace only. The numbers
-- are a generated column, so every write keeps them. Bodies are not quoted, because a restore calls these functions
-- without this schema in its search_path.

-- The number of a word in a namespace. `derived`: of a word whose ending was cut.
create or replace function record_term(of_memory uuid, in_namespace text, word text, derived boolean) returns bigint
language sql immutable parallel safe
begin atomic
  select hashtextextended(word, hashtextextended(in_namespace, hashtextextended(of_memory::text, derived::integer)));
end;

-- The words of a record: its stems, and the roots of stems that have another one.
create or replace function record_terms(of_memory uuid, in_namespace text, body text) returns bigint[]
language sql immutable parallel safe
begin atomic
  select coalesce(array_agg(distinct t.term), '{}')
  from unnest(to_tsvector('pg_catalog.english', body)) w
  cross join lateral (
    select record_term(of_memory, in_namespace, w.lexeme, false)
    union all
    select record_term(of_memory, in_namespace, record_root(w.lexeme), true) where record_root(w.lexeme) <> w.lexeme
  ) t (term);
end;

create table records (
  record_id uuid not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  namespace text not null,
  strategy_id uuid,
  strategy_version integer,
  actor_id text,
  session_key bigint,
  text text not null,
  fact_key text not null,
  extractor text not null,
  model text,
  prompt_hash text,
  -- The event that created it.
  event_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  superseded_by uuid,
  valid_to timestamptz,
  -- The slot that the record fills, if only one value can be true at a time, and when it was last stated.
  stated_at timestamptz not null,
  slot_key text,
  slot_value text,
  -- Further words that the record is found by.
  keywords text not null default '',
  words tsvector generated always as (to_tsvector('english'::regconfig, ((text || ' '::text) || keywords))) stored,
  terms bigint[] generated always as (record_terms(memory_id, namespace, ((text || ' '::text) || keywords))) stored,
  -- First and last day that the record is about; null if its text names none.
  event_from date,
  event_to date,
  details jsonb not null default '{}',
  primary key (record_id, tenant_id)
);
create unique index records_by_fact on records (memory_id, md5(namespace), md5(fact_key)) where superseded_by is null;
create index records_by_namespace on records (memory_id, md5(namespace), created_at desc, record_id);
create index records_by_session on records (session_key) where session_key is not null;
create index records_by_slot on records (memory_id, md5(namespace), md5(slot_key))
  where slot_key is not null and superseded_by is null;
-- Without a pending list, which every search would have to read.
create index records_by_terms on records using gin (terms) with (fastupdate = off);
create index records_superseded on records (superseded_by) where superseded_by is not null;
create index records_of_actor on records (memory_id, actor_id, stated_at desc, created_at desc, record_id)
  where actor_id is not null;
create index records_by_time on records (memory_id, md5(namespace), stated_at desc, created_at desc, record_id)
  where superseded_by is null;
-- The current values of an actor.
create index records_with_attribute on records (memory_id, actor_id)
  where superseded_by is null and details ? 'attribute';

create table record_sources (
  record_id uuid not null,
  event_id uuid not null,
  tenant_id uuid not null,
  session_key bigint,
  sequence bigint not null,
  role text not null,
  quote text not null,
  -- Quoted for its context, and not a source of the record itself.
  is_context boolean not null default false,
  constraint record_sources_record_id_fkey
    foreign key (record_id, tenant_id) references records(record_id, tenant_id) on delete cascade
);
create index record_sources_by_event on record_sources (event_id);
create index record_sources_by_turn on record_sources (session_key, sequence);
create unique index record_sources_once on record_sources (record_id, event_id, md5(quote), tenant_id);

-- Requests to delete many records. The worker carries them out in batches; the rows are the progress.
create table record_deletions (
  deletion_id uuid not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  -- {namespace, strategyId, actorId, createdFrom, createdTo}. Null once finished, because it may identify a person.
  filter json,
  -- Null until the matching records are listed.
  found bigint,
  deleted bigint not null default 0,
  attempts integer not null default 0,
  -- The next attempt; null once finished.
  due_at timestamptz default now(),
  requested_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (deletion_id)
);
create index record_deletions_due on record_deletions (due_at) where due_at is not null;
create index record_deletions_finished on record_deletions (finished_at) where finished_at is not null;
create index record_deletions_of_memory on record_deletions (memory_id, deletion_id);
create index record_deletions_unfinished on record_deletions (tenant_id) where finished_at is null;

-- Records that are still to be deleted, in order.
create table record_deletion_items (
  deletion_id uuid not null,
  place bigint not null,
  tenant_id uuid not null,
  record_id uuid not null,
  primary key (deletion_id, place),
  foreign key (deletion_id) references record_deletions(deletion_id) on delete cascade
);

-- The terms of a query, numbered by its words: the first 64 different ones of its first 4,000 characters, as in a search
-- of turns.
create or replace function record_query(of_memory uuid, in_namespace text, body text)
returns table (word integer, term bigint, factor float8) language sql immutable parallel safe as $$
  select w.n, t.term, max(t.factor)
  from (
    select u.lexeme, row_number() over (order by u.positions[1], u.lexeme)::integer as n
    from unnest(to_tsvector('pg_catalog.english', left(body, 4000))) u
    order by u.positions[1], u.lexeme limit 64
  ) w
  cross join lateral (values
    (record_term(of_memory, in_namespace, w.lexeme, false), 1.0::float8),
    (record_term(of_memory, in_namespace, record_root(w.lexeme), false), 0.8),
    (record_term(of_memory, in_namespace, record_root(w.lexeme), true), 0.8)
  ) t (term, factor)
  group by w.n, t.term;
$$;

-- The records of a namespace that contain words of a query, with what their scores need.
create or replace function find_record_words(
  for_tenant uuid, of_memory uuid, in_namespace text, query text, subjects text, superseded_too boolean, most integer
)
returns table (weights float8[], whole float8, known integer, usual_words float8, records text)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  named constant bigint[] := record_terms(of_memory, in_namespace, subjects);
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  with asked as materialized (
    select q.word, array_agg(q.term) as terms, max(q.term) filter (where q.factor = 1) as exact,
           bool_or(q.term = any (named)) as is_subject
    from record_query(of_memory, in_namespace, query) q group by q.word
  ), searched as materialized (
    select a.word, a.terms, a.exact, 4000 / (select count(*) from asked) as most from asked a
    where not a.is_subject or (select bool_and(b.is_subject) from asked b)
  ), held as materialized (
    select s.word, r.record_id, case when s.exact = any (r.terms) then 1.0::float8 else 0.8 end as factor, r.terms,
           cardinality(r.terms) as words, r.created_at
    from searched s
    cross join lateral (
      select r.record_id, r.terms, r.created_at
      -- With `offset 0`, only by the index of terms: among many small memories, the planner would read all records of
      -- this one for each word.
      from (select i.* from records i where i.terms && s.terms offset 0) r
      where r.tenant_id = for_tenant and r.memory_id = of_memory
        and r.namespace = in_namespace and (superseded_too or r.superseded_by is null)
      limit s.most
    ) r
  ), common as materialized (
    -- Not all of their records were read.
    select s.word, s.terms, s.exact
    from searched s join (select h.word, count(*) as n from held h group by h.word) c on c.word = s.word and c.n = s.most
  ), newest as materialized (
    select r.record_id, r.terms, cardinality(r.terms) as words, r.created_at,
           superseded_too or r.superseded_by is null as is_wanted
    from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
    -- In the order of the index, so that no more are read.
    order by r.created_at desc, r.record_id limit (select case when exists (select from common) then 500 else 200 end)
  ), matches as materialized (
    select h.record_id, h.word, h.factor, h.words, h.created_at from held h
    union all
    select distinct m.record_id, c.word, case when c.exact = any (m.terms) then 1.0::float8 else 0.8 end, m.words, m.created_at
    from common c
    join (
      select n.record_id, n.terms, n.words, n.created_at from newest n where n.is_wanted
      union all
      select h.record_id, h.terms, h.words, h.created_at from held h where h.word not in (select o.word from common o)
    ) m on m.terms && c.terms
    where (c.word, m.record_id) not in (select h.word, h.record_id from held h where h.word in (select o.word from common o))
  ), size as (
    select count(*)::float8 as newest, case when exists (select from common) then 500 else 200 end as most,
           coalesce(avg(n.words), 8)::float8 as usual_words
    from newest n
  ), since as materialized (
    select n.created_at, n.record_id from newest n order by n.created_at, n.record_id desc limit 1
  ), counted as (
    select a.word, a.is_subject, a.word in (select c.word from common c) as is_common,
           coalesce(m.records, 0) as records, coalesce(m.among_newest, 0) as among_newest
    from asked a
    left join (
      select m.word, count(*)::float8 as records,
             (count(*) filter (where m.created_at > s.created_at or m.created_at = s.created_at and m.record_id <= s.record_id)
             )::float8 as among_newest
      from matches m cross join since s group by m.word
    ) m on m.word = a.word
  ), total as (
    -- Counting all records would take longer than the search. The share of hits among the newest ones tells how many there
    -- are; with common words, of which not all hits are known, how many there are at least.
    select s.newest, s.most,
      case when s.newest < s.most then s.newest
           else greatest(s.newest, s.newest * (c.counted + 1) / (c.newest_counted + 1),
                         s.newest * (c.known + 1) / (c.newest_known + 1))
      end as n
    from size s
    cross join (
      select coalesce(sum(c.records) filter (where not c.is_common), 0) as counted,
             coalesce(sum(c.among_newest) filter (where not c.is_common), 0) as newest_counted,
             coalesce(sum(c.records), 0) as known, coalesce(sum(c.among_newest), 0) as newest_known
      from counted c
    ) c
  ), frequent as (
    select c.word, c.is_subject, t.n, t.newest, t.most,
           case when c.is_common then greatest(c.records, t.n * c.among_newest / t.newest) else c.records end as records
    from counted c cross join total t
  ), oldest as materialized (
    -- The number of records is estimated from the newest ones. A word of nearly all of these may be new to the namespace.
    select r.terms from records r
    where r.memory_id = of_memory and md5(r.namespace) = md5(in_namespace) and r.namespace = in_namespace
      and exists (select from frequent f where not f.is_subject and f.newest >= f.most and f.records >= 0.9 * f.n)
    order by r.created_at, r.record_id desc limit 500
  ), rated as (
    -- As if the namespace had fifty more records: in a namespace of three, every word would be equally rare.
    select f.word, f.records,
           ln(1 + (50 + greatest(f.n, f.records) - f.records + 0.5) / (f.records + 0.5)) as weight,
           f.is_subject or (
             f.n >= 3 and f.records >= 0.9 * f.n and (
               f.newest < f.most or 0.9 * (select count(*) from oldest) <= (
                 select count(*) from oldest o join asked a on a.terms && o.terms where a.word = f.word
               )
             )
           ) as of_subject
    from frequent f
  ), weights as materialized (
    select r.word, r.records,
      case
        when r.of_subject and not (select bool_and(a.of_subject) from rated a) then 0
        else least(r.weight, (select max(a.weight) from rated a where a.records > 0 and not a.of_subject), 1e9)
      end as weight
    from rated r
  ), by_words as (
    select m.record_id, m.words, m.created_at, sum(w.weight * m.factor) as weight,
           count(*) filter (where w.weight > 0) as matched
    from matches m join weights w on w.word = m.word
    group by m.record_id, m.words, m.created_at having sum(w.weight) > 0
    order by sum(w.weight * m.factor) desc, m.created_at desc, m.record_id limit most
  )
  select array(select case when w.word in (select s.word from searched s) then w.weight else 0 end from weights w order by w.word),
         (select greatest(sum(w.weight), 1e-9) from weights w),
         (select count(*) from weights w where w.records > 0 and w.weight > 0)::integer, (select s.usual_words from size s),
         (select string_agg(concat_ws(' ', b.record_id, (extract(epoch from b.created_at) * 1000000)::bigint, b.words, b.weight,
                              b.matched, (exists (select from record_sources s where s.record_id = b.record_id and s.tenant_id = for_tenant))::integer), ' ')
          from by_words b);
end $$;

-- The records that cite turns: each with the words of the query that it has, negative if in another form, and the places
-- of these turns in the arrays.
create or replace function find_citing_records(
  for_tenant uuid, of_memory uuid, in_namespace text, query text, superseded_too boolean, session_keys bigint[],
  sequences bigint[]
)
returns table (records text)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  with asked as materialized (
    select q.word, array_agg(q.term) as terms, max(q.term) filter (where q.factor = 1) as exact
    from record_query(of_memory, in_namespace, query) q group by q.word
  ), citing as (
    select s.record_id, string_agg(t.n::text, ',') as turns
    from unnest(session_keys, sequences) with ordinality as t (session_key, sequence, n)
    cross join lateral (
      select i.record_id from record_sources i
      where i.session_key = t.session_key and i.sequence = t.sequence and i.tenant_id = for_tenant
      offset 0
    ) s
    group by s.record_id
  )
  select string_agg(concat_ws(' ', c.record_id, (extract(epoch from r.created_at) * 1000000)::bigint, cardinality(r.terms),
                              coalesce(w.words, '0'), c.turns), ' ')
  from citing c
  -- A lateral `limit 1` is always one lookup; a join may read all records.
  cross join lateral (select i.* from records i where i.record_id = c.record_id and i.tenant_id = for_tenant limit 1) r
  cross join lateral (
    select string_agg((case when a.exact = any (r.terms) then a.word else -a.word end)::text, ',') as words
    from asked a where a.terms && r.terms
  ) w
  where r.tenant_id = for_tenant and r.memory_id = of_memory and r.namespace = in_namespace
    and (superseded_too or r.superseded_by is null);
end $$;

-- Every record has a vector, so that a search finds it by its meaning. Written behind the log like the vectors of turns,
-- at a pace of its own: records are few.
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

create or replace function vector_scope(of_memory uuid, in_namespace text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended(of_memory::text || in_namespace, 0);
$$;

-- Stores vectors of records whose text is still the one that was embedded: [{tenant, record, text, vector}], in base64.
create or replace function keep_record_vectors(of_model integer, vectors json) returns void
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

-- == Projections: usage ==

-- Counts per memory, actor and session are stored, so that reading them costs the same for any size of the log.
--
-- What is appended is counted by the index of sessions by recency, and a reader adds what is behind it. A deletion records
-- what it takes in usage_changes. Expired events are counted until they are purged; readers subtract them.
create table usage_changes (
  tenant_id uuid not null,
  memory_id uuid not null,
  session_key bigint not null,
  -- Negative.
  messages integer not null,
  binaries integer not null,
  -- Of a deleted session, with its actor; or of deleted events, with their position if the index has not reached it yet.
  -- Whether such an event was counted is known when the index passes the position: in that snapshot it exists or is
  -- recorded here.
  position bigint,
  actor_key bigint
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);
create index usage_changes_of_session on usage_changes (memory_id, session_key);

-- Actors with at least one session.
create table actor_counts (
  memory_id uuid not null,
  -- A hash, because the table must not keep the name of an erased actor.
  actor_key bigint not null,
  tenant_id uuid not null,
  sessions bigint not null,
  primary key (memory_id, actor_key)
);

-- Memories with at least one session.
create table memory_counts (
  memory_id uuid not null,
  tenant_id uuid not null,
  actors bigint not null,
  sessions bigint not null,
  messages bigint not null,
  binaries bigint not null,
  primary key (memory_id)
);

-- == Projections: last activity of a session ==

-- When a session was last active, to list sessions by recency. Like the question index it is not written by the append:
-- the worker keeps it close to the head of the log, and a reader indexes the rest first.
create table session_activity (
  session_key bigint not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  -- Hash of the actor within the memory.
  actor_key bigint not null,
  -- Of its newest numbered event that is indexed.
  last_position bigint not null,
  last_at timestamptz not null,
  messages bigint not null default 0,
  binaries bigint not null default 0,
  primary key (session_key)
);
create index session_activity_of_actor on session_activity (memory_id, actor_key, last_position desc);
create index session_activity_of_memory on session_activity (memory_id, last_position desc);

create or replace function activity_actor(for_tenant uuid, of_memory uuid, of_actor text)
returns bigint language sql immutable parallel safe as $$
  select hashtextextended(of_actor, turn_memory(for_tenant, of_memory));
$$;

-- == Work: dispatch ==

-- How far the dispatcher has read the log.
create table dispatch_cursor (
  name text not null,
  position bigint not null,
  primary key (name)
);

-- Items that cannot be processed. Operators can see them, replay them or drop them.
create table parked_items (
  source text not null,
  item_id text not null,
  code text not null,
  error text not null,
  payload text not null,
  attempts integer not null,
  parked_at timestamptz not null default now(),
  resolved_at timestamptz,
  -- When a replay was requested.
  requested_at timestamptz,
  primary key (source, item_id)
);
create index parked_items_open on parked_items (parked_at) where resolved_at is null;
create index parked_items_requested on parked_items (requested_at) where requested_at is not null and resolved_at is null;
create index parked_items_resolved on parked_items (resolved_at) where resolved_at is not null;

-- What operators have been notified of, and what they dropped. A row belongs to one parking: an item that is replayed
-- and parked again is reported again.
create table parked_notes (
  kind text not null,
  item_key text not null,
  parked_at timestamptz not null,
  noted_at timestamptz not null default now(),
  dropped_at timestamptz,
  primary key (kind, item_key, parked_at)
);
create index parked_notes_dropped on parked_notes (dropped_at) where dropped_at is not null;

-- == Work: extraction ==

create table extraction_states (
  session_key bigint not null,
  strategy_id uuid not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_id text not null,
  session_id text not null,
  -- Extracted ranges cover 1..watermark.
  watermark bigint not null default 0,
  newest_sequence bigint not null default 0,
  -- Extract up to here without waiting for turns or a quiet time (at the end of an agent, or on request).
  flush_through bigint not null default 0,
  pending_turns integer not null default 0,
  status text not null default 'idle',
  due_at timestamptz,
  attempts integer not null default 0,
  -- Incremented by every claim: a write with an older fence matches no row.
  fence bigint not null default 0,
  lease_until timestamptz,
  last_code text,
  records_made bigint not null default 0,
  updated_at timestamptz not null default now(),
  -- A queued session is not queued again before this time. A tenant has a limited number of them, so that its backlog
  -- waits here and not in front of other tenants in the queue.
  admitted_until timestamptz,
  -- The newest model answer about the window, stored in the log, and whether an attempt still has to read it.
  answer_event_id uuid,
  answer_unread boolean not null default false,
  -- Usage of the strategy for this session.
  model_calls bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- Consecutive attempts without any answer from the model. They say nothing about the window, so they are not counted
  -- as attempts, and many more of them are made before the window is parked.
  outage_tries integer not null default 0,
  -- How far the dispatcher has reported the session to this row. Turns that were read before they were dispatched are
  -- not counted as pending.
  noted_sequence bigint not null default 0,
  -- End of the parked window that is being replayed; null otherwise.
  replay_through bigint,
  -- Numbers of sentences that made no record, by reason.
  skipped jsonb,
  primary key (session_key, strategy_id),
  foreign key (strategy_id) references strategies(strategy_id) on delete cascade
);
create index extraction_states_admitted on extraction_states (tenant_id) where admitted_until is not null;
create index extraction_states_all_parked on extraction_states (updated_at) where status = 'parked';
create index extraction_states_by_memory on extraction_states (memory_id, strategy_id);
-- By the name of a session.
create index extraction_states_by_session on extraction_states (memory_id, actor_id, session_id);
create index extraction_states_due on extraction_states (tenant_id, due_at) where due_at is not null;
-- Leases last for seconds and are renewed by the process that works. A claim counts as an attempt. Leases of lost
-- processes are settled before anything else is queued; this index finds them.
create index extraction_states_leased on extraction_states (lease_until) where lease_until is not null;
create index extraction_states_parked on extraction_states (memory_id, updated_at) where status = 'parked';
-- Progress counts what is pending or parked, not all sessions.
create index extraction_states_waiting on extraction_states (memory_id, strategy_id) where status = 'waiting';

-- A window without attempts left is parked on its own, and the session continues after it. Extracted and parked ranges
-- together cover 1..watermark of a session and strategy.
create table parked_windows (
  session_key bigint not null,
  strategy_id uuid not null,
  -- Identifies the window: a replay that reads only its beginning moves from_sequence.
  to_sequence bigint not null,
  from_sequence bigint not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_id text not null,
  session_id text not null,
  code text not null,
  -- The error text; never content.
  cause text,
  attempts integer not null,
  answer_event_id uuid,
  -- Whether the answer is usable: a replay reads it again instead of calling the model.
  answer_unread boolean not null default false,
  parked_at timestamptz not null default now(),
  -- Set while a replay is due or running.
  requested_at timestamptz,
  -- Set when an operator dropped the window. The row stays, because it accounts for the range.
  dropped_at timestamptz,
  primary key (session_key, strategy_id, to_sequence),
  foreign key (strategy_id) references strategies(strategy_id) on delete cascade
);
create index parked_windows_of_memory on parked_windows (memory_id, parked_at);
create index parked_windows_open on parked_windows (parked_at) where dropped_at is null and requested_at is null;

-- Progress of sessions that are locked, for example by an erasure. It is stored here and applied later, so that a
-- locked session does not block the dispatch of others.
create table deferred_progress (
  session_key bigint not null,
  newest_sequence bigint not null,
  turns integer not null,
  flush_through bigint not null,
  tried_at timestamptz not null default clock_timestamp(),
  primary key (session_key)
);
create index deferred_progress_tried on deferred_progress (tried_at);

-- Model usage of a tenant per day (UTC).
create table model_usage (
  tenant_id uuid not null,
  day date not null,
  calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (tenant_id, day)
);

-- Reports new events of sessions to their extraction states in one call, because it runs for every page of the log and
-- planning took longer than running. The plan is fixed to index lookups.

-- When the rest of a session is due: at once if enough turns are pending or a flush was requested, otherwise after a
-- quiet time; null if everything is read.
create or replace function extraction_due(
  of_strategy uuid,
  newest_sequence bigint,
  watermark bigint,
  flush_through bigint,
  pending_turns integer,
  turn_interval integer,
  quiet_seconds double precision
)
returns timestamptz language sql stable as $$
  select case
    when newest_sequence <= watermark then null
    when flush_through > watermark or pending_turns >= coalesce(
      (select (st.rolling ->> 'turnInterval')::integer from strategies st where st.strategy_id = of_strategy),
      turn_interval
    ) then now()
    else now() + make_interval(secs => quiet_seconds)
  end;
$$;

-- Turns are counted without reading the messages if the event stores whether it is one.

-- Reports new events to every automatic strategy of their memories. The arrays have an element per session, and events
-- of a session arrive in order. True if one of the sessions is due now.
create or replace function note_progress(
  session_keys bigint[],
  newest_sequences bigint[],
  turns integer[],
  flushes bigint[],
  turn_interval integer,
  quiet_seconds double precision
)
returns boolean language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
  due boolean;
  free bigint[];
  busy bigint[];
begin
  -- Sessions locked by an erasure or a commit are deferred: the others, above all of other memories, must not wait.
  free := array(
    select i.session_key from sessions i where i.session_key = any (session_keys) for key share skip locked
  );
  free := array(
    select key from unnest(free) as key
     where not exists (select from deferred_progress d where d.session_key = key)
       and (select count(*) from extraction_states x where x.session_key = key) = (
         select count(*) from (
           select from extraction_states x where x.session_key = key for no key update skip locked
         ) as mine
       )
  );
  busy := array(
    select key from unnest(session_keys) as key
     where key <> all (free) and exists (select from sessions i where i.session_key = key)
  );
  if busy <> '{}' then
    insert into deferred_progress as d (session_key, newest_sequence, turns, flush_through)
    select seen.session_key, seen.newest_sequence, seen.turns, seen.flush_through
      from unnest(session_keys, newest_sequences, turns, flushes)
        as seen(session_key, newest_sequence, turns, flush_through)
     where seen.session_key = any (busy)
     order by seen.session_key
    on conflict (session_key) do update
      set newest_sequence = greatest(d.newest_sequence, excluded.newest_sequence),
          turns = d.turns + excluded.turns,
          flush_through = greatest(d.flush_through, excluded.flush_through);
  end if;
  insert into extraction_states as x
    (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, newest_sequence, noted_sequence, pending_turns,
     flush_through)
  select seen.session_key, st.strategy_id, st.tenant_id, st.memory_id, se.actor_id, se.session_id,
         seen.newest_sequence, seen.newest_sequence, seen.turns, seen.flush_through
    from unnest(session_keys, newest_sequences, turns, flushes)
      as seen(session_key, newest_sequence, turns, flush_through)
   cross join lateral (
     -- Locked above if it was free.
     select i.memory_id, i.actor_id, i.session_id from sessions i where i.session_key = seen.session_key limit 1
   ) as se
   -- Deleted memories are not extracted.
   cross join lateral (
     select from memory_gates i where i.memory_id = se.memory_id and i.is_open limit 1
   ) as gate
   cross join lateral (
     select i.strategy_id, i.tenant_id, i.memory_id from strategies i
      where i.memory_id = se.memory_id and i.automatic and i.status = 'ACTIVE'
      offset 0
   ) as st
   -- Hidden sessions are extracted by the one strategy for which they were created.
   where se.session_id >= chr(2) and seen.session_key = any (free)
   order by seen.session_key, st.strategy_id
  on conflict (session_key, strategy_id) do update
    set newest_sequence = greatest(x.newest_sequence, excluded.newest_sequence),
        noted_sequence = greatest(x.noted_sequence, excluded.noted_sequence),
        pending_turns = x.pending_turns + case
          when x.watermark <= x.noted_sequence then excluded.pending_turns
          -- All or some of these events were read before they were dispatched.
          when x.watermark >= excluded.noted_sequence then 0
          else (
            select count(*) from events e
             where e.session_key = x.session_key and e.sequence > x.watermark and e.sequence <= excluded.noted_sequence
               and coalesce(e.user_turn, is_user_turn(e.type, e.data))
          )
        end,
        flush_through = greatest(x.flush_through, excluded.flush_through),
        updated_at = now();
  if not found then
    return false;
  end if;
  -- A second statement, because the first cannot see the rows that it inserts.
  with noted as (
    update extraction_states s
       set status = case when s.newest_sequence > s.watermark then 'waiting' else 'idle' end,
           -- Every event of an active session restarts its quiet time; what is due stays due.
           due_at = least(
             case when s.due_at <= now() then s.due_at end,
             extraction_due(s.strategy_id, s.newest_sequence, s.watermark, s.flush_through, s.pending_turns,
                            turn_interval, quiet_seconds)
           )
     where s.session_key = any (free) and s.status in ('idle', 'waiting')
       -- A failed window keeps its own time, whatever arrives in between.
       and s.last_code is null
    returning s.due_at
  )
  select coalesce(bool_or(noted.due_at <= now()), false) into due from noted;
  return due;
end $$;

-- Reports deferred progress of sessions that are free now, longest untried first. True if one of the sessions is due
-- now.
create or replace function note_deferred(most integer, turn_interval integer, quiet_seconds double precision)
returns boolean language plpgsql volatile as $$
declare
  keys bigint[];
  newest bigint[];
  counted integer[];
  flushes bigint[];
begin
  with taken as (
    delete from deferred_progress where session_key = any (array(
      select d.session_key from deferred_progress d order by d.tried_at limit most for update skip locked
    ))
    returning *
  )
  select array_agg(t.session_key order by t.session_key), array_agg(t.newest_sequence order by t.session_key),
         array_agg(t.turns order by t.session_key), array_agg(t.flush_through order by t.session_key)
    into keys, newest, counted, flushes
    from taken t;
  return keys is not null and note_progress(keys, newest, counted, flushes, turn_interval, quiet_seconds);
end $$;

-- Deleting a session deletes its deferred progress in the same transaction.
create or replace function forget_deferred_progress() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from deferred_progress d using gone g where d.session_key = g.session_key;
  return null;
end $$;

create trigger forget_deferred_progress after delete on sessions
  referencing old table as gone for each statement execute function forget_deferred_progress();

-- == Work: totals per strategy ==

-- Totals of records and extraction usage per strategy, so that reading them costs the same for any number of records.
-- A transaction that changes what is counted inserts a row into total_changes, and fold_totals adds the rows up: no
-- transaction waits for a counter. A rebuild replaces records in place, so the totals follow it.
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
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000);
create index total_changes_of_memory on total_changes (memory_id);

create table strategy_totals (
  memory_id uuid not null,
  -- The nil UUID for records without a strategy.
  strategy_id uuid not null,
  tenant_id uuid not null,
  -- Records that exist now.
  current_records bigint not null,
  superseded_records bigint not null,
  -- What extraction has created and used so far. Deleting sessions does not lower these.
  records_made bigint not null,
  model_calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (memory_id, strategy_id)
);

create or replace function total_added_records() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
  select a.tenant_id, a.memory_id, a.strategy_id,
         count(*) filter (where a.superseded_by is null), count(*) filter (where a.superseded_by is not null)
  from added a group by a.tenant_id, a.memory_id, a.strategy_id;
  return null;
end $$;

create or replace function total_deleted_records() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, current_records, superseded_records)
  select g.tenant_id, g.memory_id, g.strategy_id,
         -count(*) filter (where g.superseded_by is null), -count(*) filter (where g.superseded_by is not null)
  from gone g group by g.tenant_id, g.memory_id, g.strategy_id;
  return null;
end $$;

create or replace function total_changed_records() returns trigger language plpgsql security definer set search_path from current as $$
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

-- Adds the changes of these memories to their totals. Only called by one fold at a time.
create or replace function fold_memories(memories uuid[]) returns void
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
begin
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
  -- A memory's row is deleted last, so changes that are folded after it are discarded.
  delete from strategy_totals s
  where s.memory_id = any (memories)
    and (select m.memory_id from memories m where m.memory_id = s.memory_id) is null;
end $$;

create or replace function total_extraction() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id, strategy_id, records_made, model_calls, input_tokens, output_tokens)
  values (
    new.tenant_id, new.memory_id, new.strategy_id, new.records_made - old.records_made,
    new.model_calls - old.model_calls, new.input_tokens - old.input_tokens, new.output_tokens - old.output_tokens
  );
  return null;
end $$;

create or replace function total_deleted_memory() returns trigger language plpgsql security definer set search_path from current as $$
begin
  insert into total_changes (tenant_id, memory_id) values (old.tenant_id, old.memory_id);
  return null;
end $$;

-- The next changed memories, at most so many; returns how many were folded. Starts at a random memory, so that one whose
-- rows are locked cannot keep others from their turn.
create or replace function fold_totals(of_memory uuid, most integer) returns integer
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set jit = off set lock_timeout = '500ms' as $$
#variable_conflict use_column
declare
  lowest constant uuid := coalesce(of_memory, '00000000-0000-0000-0000-000000000000');
  highest constant uuid := coalesce(of_memory, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  first constant uuid := coalesce(of_memory, gen_random_uuid());
  memories uuid[];
  one uuid;
  folded integer := 0;
begin
  if not exists (select from total_changes t where t.memory_id between lowest and highest) then
    return 0;
  end if;
  if not pg_try_advisory_xact_lock(1414877774, 6) then
    return 0;
  end if;
  select array_agg(p.memory_id) into memories from (
    (select distinct t.memory_id from total_changes t
     where t.memory_id between first and highest order by t.memory_id limit most)
    union all
    (select distinct t.memory_id from total_changes t
     where t.memory_id >= lowest and t.memory_id < first order by t.memory_id limit most)
    limit most
  ) p;
  if memories is null then
    return 0;
  end if;
  begin
    perform fold_memories(memories);
    return array_length(memories, 1);
  exception when lock_not_available then
    perform set_config('lock_timeout', '20ms', true);
  end;
  foreach one in array memories loop
    begin
      perform fold_memories(array[one]);
      folded := folded + 1;
    exception when lock_not_available then
      -- Another fold will try again.
    end;
  end loop;
  return folded;
end $$;

-- Counts all records again. Changes and records are read in one snapshot, so nothing is counted twice.
create or replace function recount_totals() returns void language plpgsql security definer set search_path from current as $$
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

-- Per row and only for these columns: most updates change neither.
create trigger total_extraction after update of records_made, model_calls on extraction_states
  for each row when (new.records_made <> old.records_made or new.model_calls <> old.model_calls) execute function total_extraction();

create trigger total_deleted_memory after delete on memories for each row execute function total_deleted_memory();

-- Model usage of a strategy per day (UTC).
create table strategy_model_usage (
  tenant_id uuid not null,
  memory_id uuid not null,
  strategy_id uuid not null,
  day date not null,
  calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (memory_id, day, strategy_id)
);
create index strategy_model_usage_by_tenant on strategy_model_usage (tenant_id);

-- == Work: webhook deliveries ==

create table webhook_endpoints (
  endpoint_id uuid not null,
  tenant_id uuid not null,
  url text not null,
  description text not null,
  events text[],
  format text not null,
  secrets json not null,
  status text not null,
  created_at timestamptz not null default now(),
  -- Consecutive attempts that timed out.
  timeouts integer not null default 0,
  primary key (endpoint_id)
);
create index webhook_endpoints_by_tenant on webhook_endpoints (tenant_id, created_at);

create table webhook_deliveries (
  delivery_id uuid not null,
  tenant_id uuid not null,
  endpoint_id uuid not null,
  event_type text not null,
  -- The event that caused it.
  cause_event_id uuid not null,
  agent_id uuid,
  message_id text not null,
  -- Stored before the first attempt; every attempt sends these bytes.
  body bytea,
  status text not null default 'pending',
  attempts integer not null default 0,
  round integer not null default 1,
  due_at timestamptz,
  last_reason text,
  park_reason text,
  fence bigint not null default 0,
  lease_until timestamptz,
  created_at timestamptz(3) not null default now(),
  -- A queued delivery is not queued again before this time. An endpoint has a limited number of them, so that its
  -- backlog waits here and not in front of other endpoints in the queue.
  admitted_until timestamptz,
  -- When the body was deleted because its retention ended; the delivery cannot be sent again.
  purged_at timestamptz(3),
  -- Consecutive claims by processes that were lost before they stored an outcome.
  lost_leases integer not null default 0,
  -- The memory of the agent, to find what must be deleted by age in memories with a short expiry. A trigger fills it
  -- in.
  memory_id uuid,
  -- Place of its action among those of the agent; deliveries of an endpoint go out in this order.
  agent_place bigint,
  primary key (delivery_id),
  unique (endpoint_id, message_id),
  foreign key (endpoint_id) references webhook_endpoints(endpoint_id) on delete cascade
);
create index webhook_deliveries_in_order on webhook_deliveries (endpoint_id, agent_id, agent_place)
  where agent_place is not null and status = 'pending';
create index webhook_deliveries_admitted on webhook_deliveries (endpoint_id) where admitted_until is not null;
create index webhook_deliveries_by_agent on webhook_deliveries (agent_id);
create index webhook_deliveries_by_cause on webhook_deliveries (cause_event_id);
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at desc, delivery_id desc);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at, delivery_id) where due_at is not null;
-- Deliveries without a body are deleted after a time, with their attempts. Deliveries of histories stay as long as
-- their agent: an erasure notifies the endpoints that received one.
create index webhook_deliveries_final on webhook_deliveries (created_at)
  where purged_at is not null and event_type <> 'agent.history';
create index webhook_deliveries_kept on webhook_deliveries (created_at) where status <> 'pending' and purged_at is null;
create index webhook_deliveries_kept_of_memory on webhook_deliveries (memory_id, created_at)
  where status <> 'pending' and purged_at is null and memory_id is not null;
create index webhook_deliveries_leased on webhook_deliveries (lease_until) where lease_until is not null;
create index webhook_deliveries_parked on webhook_deliveries (created_at) where status = 'parked';

create table webhook_attempts (
  delivery_id uuid not null,
  -- Counted over all rounds.
  attempt integer not null,
  at timestamptz not null default now(),
  reason text not null,
  status integer,
  duration_ms integer not null,
  detail text,
  primary key (delivery_id, attempt),
  foreign key (delivery_id) references webhook_deliveries(delivery_id) on delete cascade
);
-- Finds the attempts since the previous sample.
create index webhook_attempts_by_time on webhook_attempts (at);

create or replace function set_delivery_memory() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.memory_id is null and new.agent_id is not null then
    select a.memory_id into new.memory_id from agents a where a.agent_id = new.agent_id;
  end if;
  return new;
end $$;

create trigger set_delivery_memory before insert on webhook_deliveries
  for each row execute function set_delivery_memory();

-- A response may repeat what was sent, so its excerpt goes with the body.
create or replace function forget_responses() returns trigger language plpgsql as $$
begin
  update webhook_attempts a set detail = null
  where a.delivery_id = new.delivery_id and a.status is not null and a.detail is not null;
  return null;
end $$;

create trigger forget_responses after update of body on webhook_deliveries for each row
  when (old.body is not null and new.body is null)
  execute function forget_responses();

-- == Work: voice connectors ==

create table connectors (
  connector_id uuid not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  vendor text not null,
  description text not null,
  -- Templates for actor and session.
  places json not null,
  -- { secret, createdAt, expiresAt }, newest first.
  secrets json not null,
  created_at timestamptz not null,
  primary key (connector_id)
);
create index connectors_by_tenant on connectors (tenant_id, created_at);

create table connector_instances (
  connector_id uuid not null,
  instance_id text not null,
  actor_id text not null,
  session_id text not null,
  primary key (connector_id, instance_id),
  foreign key (connector_id) references connectors(connector_id) on delete cascade
);

-- Callbacks from vendors. A row stays for a while after its body is deleted, so that repeats are recognized.
create table connector_notices (
  connector_id uuid not null,
  notice_key text not null,
  tenant_id uuid not null,
  call_key text,
  event_type text not null,
  body bytea,
  status text not null,
  code text,
  received_at timestamptz(3) not null default now(),
  -- The order of arrival.
  arrival bigint not null generated always as identity,
  primary key (connector_id, notice_key),
  foreign key (connector_id) references connectors(connector_id) on delete cascade
);
create index connector_notices_listed on connector_notices (connector_id, received_at desc, notice_key desc);
create index connector_notices_of_call on connector_notices (connector_id, call_key, arrival)
  where status in ('waiting', 'applied', 'parked');
create index connector_notices_old on connector_notices (received_at) where status in ('folded', 'ignored', 'parked');
create index connector_notices_parked on connector_notices (received_at) where status = 'parked';

-- For vendors that do not sign their messages: each of their signatures is accepted for one message only.
create table connector_stamps (
  connector_id uuid not null,
  stamp text not null,
  notice_key text not null,
  seen_at timestamptz not null default now(),
  primary key (connector_id, stamp),
  foreign key (connector_id) references connectors(connector_id) on delete cascade
);
create index connector_stamps_old on connector_stamps (seen_at);

-- One row for each call with callbacks; due_at says when to process them.
create table connector_calls (
  connector_id uuid not null,
  call_key text not null,
  tenant_id uuid not null,
  due_at timestamptz,
  settled_round bigint,
  failures integer not null default 0,
  -- Incremented by every callback.
  version bigint not null default 1,
  -- Incremented by every claim: a write with an older fence matches no row.
  fence bigint not null default 0,
  lease_until timestamptz,
  updated_at timestamptz not null default now(),
  -- Whose call it is, once known. An erasure finds the callbacks by it.
  actor_id text,
  session_id text,
  primary key (connector_id, call_key),
  foreign key (connector_id) references connectors(connector_id) on delete cascade
);
create index connector_calls_by_actor on connector_calls (tenant_id, actor_id) where actor_id is not null;
create index connector_calls_due on connector_calls (due_at) where due_at is not null;
-- Calls without callbacks are deleted after a time.
create index connector_calls_old on connector_calls (updated_at) where due_at is null;

-- Where an instance was mapped before it was mapped again.
create table replaced_instances (
  nth bigint generated always as identity primary key,
  tenant_id uuid not null,
  connector_id uuid not null references connectors on delete cascade,
  instance_id text not null,
  actor_id text not null,
  session_id text not null,
  replaced_at timestamptz(3) not null default now()
);
create index replaced_instances_by_instance on replaced_instances (connector_id, instance_id, nth);

create or replace function keep_replaced_mapping() returns trigger language plpgsql as $$
begin
  insert into replaced_instances (tenant_id, connector_id, instance_id, actor_id, session_id)
    select c.tenant_id, old.connector_id, old.instance_id, old.actor_id, old.session_id
      from connectors c where c.connector_id = old.connector_id;
  return null;
end $$;

create trigger keep_replaced_mapping after update on connector_instances for each row
  when ((old.actor_id, old.session_id) is distinct from (new.actor_id, new.session_id))
  execute function keep_replaced_mapping();

-- == Access ==

-- What is left of each tenant's rates, shared by all processes, which lease slices of it. Unlogged: after a crash of
-- the server every tenant starts with a full budget, and a lease writes no WAL.
create unlogged table rate_budgets (
  tenant_id uuid not null,
  kind text not null,
  tokens double precision not null,
  filled_at timestamptz not null,
  per_second double precision not null,
  burst double precision not null,
  -- Terms of the newest lease.
  want double precision not null,
  debt double precision not null,
  granted double precision not null,
  -- Processes with a recent lease, each with its time in seconds.
  holders jsonb not null,
  primary key (tenant_id, kind)
) with (fillfactor=50);

-- Projects at voice platforms: settings, not a projection.
create table vendor_apps (
  tenant_id uuid not null,
  vendor text not null,
  app_id text not null,
  -- The memory of agents that name none.
  memory_id uuid not null,
  -- Verifies requests of the platform, so it must be readable.
  secret text,
  created_at timestamptz not null,
  primary key (tenant_id, vendor, app_id)
);

-- Agent profiles that were registered through a vendor's API: settings, not a projection. The previous release survives
-- this: it neither reads nor writes it.
create table vendor_agents (
  tenant_id uuid not null,
  vendor text not null,
  app_id text not null,
  -- Ordered by bytes, so that pages do not depend on the server's locale.
  agent_id text collate "C" not null,
  name text not null,
  -- In the vendor's spelling; never contains its key.
  llm json not null,
  primary key (tenant_id, vendor, app_id, agent_id),
  foreign key (tenant_id, vendor, app_id) references vendor_apps on delete cascade
);
-- A signature identifies the tenant, so no two may have the same secret.
create unique index vendor_apps_by_secret on vendor_apps (vendor, app_id, md5(secret)) where secret is not null;

-- Signatures of requests by clients of vendors. Each is accepted for one request, because it does not cover the body.
create table vendor_signatures (
  tenant_id uuid not null,
  vendor text not null,
  app_id text not null,
  signature text not null,
  seen_at timestamptz not null default now(),
  primary key (tenant_id, vendor, app_id, signature)
);
create index vendor_signatures_old on vendor_signatures (seen_at);

-- Keys that this installation signs with, unless a setting provides one. 244 random bits each.
create table signing_keys (
  name text not null,
  key text not null,
  created_at timestamptz not null default now(),
  primary key (name)
);
insert into signing_keys (name, key)
select name, replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
from unnest(array['history_links', 'erasure_receipts']) as name;

-- First answers to requests with an Idempotency-Key, kept for 24 hours.
create table idempotent_requests (
  request_id uuid not null,
  tenant_id uuid not null,
  route text not null,
  key text not null,
  fingerprint text not null,
  -- Erasures of this memory erase the answer too; null: none.
  memory_id uuid,
  -- JSON text, encrypted like a secret. Null while the request runs and after an erasure.
  answer text,
  -- The answer was erased, or must no longer be stored.
  erased boolean not null default false,
  created_at timestamptz not null default now(),
  -- Without an answer, the request counts as running until then.
  running_until timestamptz not null,
  primary key (request_id)
);
create index idempotent_requests_by_age on idempotent_requests (created_at);
create unique index idempotent_requests_by_key on idempotent_requests (tenant_id, route, key);
create index idempotent_requests_of_memory on idempotent_requests (memory_id) where not erased;

-- Who did what to which resource. Rows are never changed; only retention deletes old ones.
create table audit_log (
  entry bigint not null generated always as identity,
  at timestamptz not null default now(),
  tenant_id uuid not null,
  key_id text not null,
  address text not null,
  action text not null,
  resource text not null,
  status integer not null,
  request_id uuid not null,
  primary key (entry)
);
create index audit_log_by_age on audit_log (at);
create index audit_log_of_tenant on audit_log (tenant_id, entry);

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - make_interval(days => nullif(current_setting('turnkeeper.audit_days', true), '')::int) then
      return old;
    end if;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_rows before update or delete on audit_log for each row execute function refuse_audit_change();

create trigger audit_log_truncate before truncate on audit_log for each statement execute function refuse_audit_change();

-- One row per ten seconds for the whole installation, written by one of the workers and kept for two hours.
create table activity_samples (
  slot bigint primary key,
  taken_at timestamptz(3) not null,
  position bigint not null,
  parked int not null,
  lags jsonb not null,
  due jsonb not null,
  attempts_delivered int not null,
  attempts_failed int not null
);

-- For the status page: the services may not read the table of migrations.
create or replace function applied_migrations(out applied integer, out newest text)
language sql stable security definer set search_path from current as $$
  select count(*)::int, max(name) from schema_migrations
$$;

-- == State of agent graphs ==

-- State of agent graphs (LangGraph): the checkpoints of threads. A thread is a session of an actor.
create table graph_threads (
  thread_key bigint not null generated always as identity,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_id text not null,
  session_id text not null,
  -- Last use, to the minute. A thread expires as a whole, because its newest checkpoint references values of its
  -- oldest.
  touched_at timestamptz not null default now(),
  primary key (thread_key),
  unique (memory_id, session_id, actor_id)
);

create table graph_checkpoints (
  thread_key bigint not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  checkpoint_ns text collate "C" not null,
  checkpoint_id text collate "C" not null,
  parent_id text collate "C",
  -- Serialized values: the serializer's type and base64.
  type text not null,
  data text not null,
  metadata_type text not null,
  metadata text not null,
  -- Scalar values of the metadata, for filters.
  labels jsonb not null,
  -- Version of every channel; its value is in graph_blobs.
  versions jsonb not null,
  primary key (thread_key, checkpoint_ns, checkpoint_id),
  foreign key (thread_key) references graph_threads(thread_key) on delete cascade
);

create table graph_blobs (
  thread_key bigint not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  checkpoint_ns text collate "C" not null,
  channel text collate "C" not null,
  version text collate "C" not null,
  type text not null,
  data text not null,
  primary key (thread_key, checkpoint_ns, channel, version),
  foreign key (thread_key) references graph_threads(thread_key) on delete cascade
);

-- Writes of tasks; they may arrive before their checkpoint.
create table graph_writes (
  thread_key bigint not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  checkpoint_ns text collate "C" not null,
  checkpoint_id text collate "C" not null,
  task_path text collate "C" not null,
  task_id text collate "C" not null,
  write_index integer not null,
  channel text not null,
  type text not null,
  data text not null,
  primary key (thread_key, checkpoint_ns, checkpoint_id, task_id, write_index),
  foreign key (thread_key) references graph_threads(thread_key) on delete cascade
);

-- Items of a store that agent graphs share.
create table graph_items (
  item_key bigint not null generated always as identity,
  tenant_id uuid not null,
  memory_id uuid not null,
  namespace text[] collate "C" not null,
  key text collate "C" not null,
  value jsonb not null,
  -- Null for an item that queries do not rank.
  words tsvector,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null: kept until it is deleted.
  expires_at timestamptz,
  primary key (memory_id, namespace, key)
);
create index graph_items_expired on graph_items (expires_at) where expires_at is not null;

-- Stores requests of one tenant, all or none, in one statement. Rows refer to threads by their number in the first
-- three arrays, from 1. Returns the key of each thread; 0 if the memory does not exist.
--
-- Planned once per connection, without the statistics of the tables (ADR 0016): threads are reached by lateral lookups
-- with a limit, which can only use an index. Most batches continue threads that were touched within the last minute: one
-- lookup each.
create or replace function write_graph_batch(
  for_tenant uuid,
  t_memory uuid[], t_actor text[], t_session text[],
  c_thread integer[], c_ns text[], c_id text[], c_parent text[], c_type text[], c_data text[], c_metadata_type text[],
  c_metadata text[], c_labels text[], c_versions text[],
  b_thread integer[], b_ns text[], b_channel text[], b_version text[], b_type text[], b_data text[],
  w_thread integer[], w_ns text[], w_id text[], w_path text[], w_task text[], w_index integer[], w_channel text[],
  w_type text[], w_data text[], w_overwrite boolean[]
)
returns bigint[] language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  open_memories uuid[];
  keys bigint[];
begin
  -- Locked, so that the deletion of a memory cannot miss rows written here.
  open_memories := array(
    select m.memory_id from memories m
     where m.tenant_id = for_tenant and m.memory_id = any (array(select distinct unnest(t_memory)))
       and m.status = 'ACTIVE' for key share
  );
  keys := array(
    select (select t.thread_key from graph_threads t
             where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
               and t.tenant_id = for_tenant and t.touched_at >= now() - interval '1 minute'
               and a.memory_id = any (open_memories) limit 1)
      from unnest(t_memory, t_actor, t_session) with ordinality as a(memory_id, actor_id, session_id, nr)
     order by a.nr
  );
  if array_position(keys, null) is not null then
    -- An expired thread starts anew.
    delete from graph_threads
     where thread_key = any (array(
       select x.thread_key
         from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
        cross join lateral (
          select t.thread_key from graph_threads t
           where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
             and t.tenant_id = for_tenant
             and t.touched_at < now() - make_interval(days => (
               select m.event_expiry_duration from memories m where m.memory_id = a.memory_id limit 1))
           limit 1) x));
    insert into graph_threads (tenant_id, memory_id, actor_id, session_id)
    select for_tenant, a.memory_id, a.actor_id, a.session_id
      from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
     where a.memory_id = any (open_memories)
     order by 2, 4, 3
    on conflict do nothing;
    -- Locked in order, because concurrent batches may touch the same threads.
    update graph_threads set touched_at = now()
     where thread_key = any (array(
       select x.thread_key
         from unnest(t_memory, t_actor, t_session) as a(memory_id, actor_id, session_id)
        cross join lateral (
          select t.thread_key from graph_threads t
           where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
             and t.tenant_id = for_tenant and t.touched_at < now() - interval '1 minute'
           limit 1 for no key update) x
        order by a.memory_id, a.session_id, a.actor_id));
    keys := array(
      select coalesce((select t.thread_key from graph_threads t
                        where t.memory_id = a.memory_id and t.session_id = a.session_id and t.actor_id = a.actor_id
                          and t.tenant_id = for_tenant and a.memory_id = any (open_memories) limit 1), 0)
        from unnest(t_memory, t_actor, t_session) with ordinality as a(memory_id, actor_id, session_id, nr)
       order by a.nr
    );
  end if;
  insert into graph_checkpoints as old
    (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, parent_id, type, data, metadata_type, metadata,
     labels, versions)
  select keys[c.thread], for_tenant, t_memory[c.thread], c.ns, c.id, c.parent, c.type, c.data, c.metadata_type,
         c.metadata, c.labels::jsonb, c.versions::jsonb
    from unnest(c_thread, c_ns, c_id, c_parent, c_type, c_data, c_metadata_type, c_metadata, c_labels, c_versions)
      as c(thread, ns, id, parent, type, data, metadata_type, metadata, labels, versions)
   where keys[c.thread] > 0
   order by 1, c.ns, c.id
  on conflict (thread_key, checkpoint_ns, checkpoint_id) do update
    set parent_id = excluded.parent_id, type = excluded.type, data = excluded.data,
        metadata_type = excluded.metadata_type, metadata = excluded.metadata, labels = excluded.labels,
        versions = excluded.versions;
  insert into graph_blobs (thread_key, tenant_id, memory_id, checkpoint_ns, channel, version, type, data)
  select keys[b.thread], for_tenant, t_memory[b.thread], b.ns, b.channel, b.version, b.type, b.data
    from unnest(b_thread, b_ns, b_channel, b_version, b_type, b_data) as b(thread, ns, channel, version, type, data)
   where keys[b.thread] > 0
   order by 1, b.ns, b.channel, b.version
  on conflict do nothing;
  if cardinality(w_thread) > 0 then
    -- Special writes (errors, interrupts, resumes) replace those of an earlier attempt.
    insert into graph_writes
      (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, task_path, task_id, write_index, channel, type, data)
    select keys[w.thread], for_tenant, t_memory[w.thread], w.ns, w.id, w.path, w.task, w.index, w.channel, w.type, w.data
      from unnest(w_thread, w_ns, w_id, w_path, w_task, w_index, w_channel, w_type, w_data, w_overwrite)
        as w(thread, ns, id, path, task, index, channel, type, data, overwrite)
     where keys[w.thread] > 0 and w.overwrite
     order by 1, w.ns, w.id, w.task, w.index
    on conflict (thread_key, checkpoint_ns, checkpoint_id, task_id, write_index) do update
      set task_path = excluded.task_path, channel = excluded.channel, type = excluded.type, data = excluded.data;
    insert into graph_writes
      (thread_key, tenant_id, memory_id, checkpoint_ns, checkpoint_id, task_path, task_id, write_index, channel, type, data)
    select keys[w.thread], for_tenant, t_memory[w.thread], w.ns, w.id, w.path, w.task, w.index, w.channel, w.type, w.data
      from unnest(w_thread, w_ns, w_id, w_path, w_task, w_index, w_channel, w_type, w_data, w_overwrite)
        as w(thread, ns, id, path, task, index, channel, type, data, overwrite)
     where keys[w.thread] > 0 and not w.overwrite
     order by 1, w.ns, w.id, w.task, w.index
    on conflict do nothing;
  end if;
  return keys;
end $$;

-- Whether a value matches a filter by LangGraph's rules: an equal scalar, or an object of operators that all hold.
-- Ranges compare numbers with numbers and texts with texts.
create or replace function graph_value_matches(item jsonb, wanted jsonb) returns boolean
language plpgsql immutable parallel safe as $$
declare
  field record;
  test record;
  found jsonb;
  is_equal boolean;
  compared integer;
  holds boolean;
begin
  for field in select * from jsonb_each(wanted) loop
    found := item -> field.key;
    if jsonb_typeof(field.value) <> 'object' then
      if found is null or jsonb_typeof(found) in ('object', 'array') or found <> field.value then
        return false;
      end if;
      continue;
    end if;
    for test in select * from jsonb_each(field.value) loop
      is_equal := found is not null and jsonb_typeof(found) not in ('object', 'array') and found = test.value;
      compared := case
        when jsonb_typeof(found) = 'number' and jsonb_typeof(test.value) = 'number'
          then sign((found #>> '{}')::numeric - (test.value #>> '{}')::numeric)::integer
        when jsonb_typeof(found) = 'string' and jsonb_typeof(test.value) = 'string'
          then case when found #>> '{}' = test.value #>> '{}' then 0
                    when (found #>> '{}') collate "C" < (test.value #>> '{}') collate "C" then -1 else 1 end
      end;
      holds := case test.key
        when '$eq' then is_equal
        when '$ne' then not is_equal
        when '$gt' then coalesce(compared > 0, false)
        when '$gte' then coalesce(compared >= 0, false)
        when '$lt' then coalesce(compared < 0, false)
        when '$lte' then coalesce(compared <= 0, false)
        when '$in' then found is not null and jsonb_typeof(found) not in ('object', 'array')
          and exists (select from jsonb_array_elements(test.value) as one where one = found)
        when '$nin' then found is null or jsonb_typeof(found) in ('object', 'array')
          or not exists (select from jsonb_array_elements(test.value) as one where one = found)
        else false
      end;
      if not holds then
        return false;
      end if;
    end loop;
  end loop;
  return true;
end $$;

set local check_function_bodies = on;

-- Below a policy, Postgres uses no index for a comparison of arrays: its operators are not leakproof. The owner of the table
-- reads the items of a graph store by their key.
create or replace function graph_items_at(for_tenant uuid, of_memory uuid, places jsonb)
returns table (nr bigint, namespace text[], key text, value jsonb, created_at timestamptz, updated_at timestamptz)
language plpgsql stable security definer set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  with wanted as materialized (
    select w.nr, array(select jsonb_array_elements_text(w.place -> 'namespace')) collate "C" as namespace,
           w.place ->> 'key' as key
    from jsonb_array_elements(places) with ordinality as w (place, nr)
  )
  select w.nr, i.namespace, i.key, i.value, i.created_at, i.updated_at
  from wanted w join graph_items i on i.memory_id = of_memory and i.namespace = w.namespace and i.key = w.key
  where i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now());
end $$;

create or replace function graph_items_below(for_tenant uuid, of_memory uuid, prefix text[])
returns setof graph_items
language plpgsql stable security definer set search_path from current as $$
declare
  depth constant integer := cardinality(prefix);
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  select i.* from graph_items i
  where i.memory_id = of_memory and i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now())
    -- No text sorts between a label and this label followed by the smallest character.
    and i.namespace >= prefix and (depth = 0 or i.namespace < prefix[:depth - 1] || (prefix[depth] || chr(1)))
    and i.namespace[1:depth] = prefix;
end $$;

create or replace function next_graph_item(for_tenant uuid, of_memory uuid, after_namespace text[], after_key text)
returns setof graph_items
language plpgsql stable security definer set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan as $$
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  return query
  select i.* from graph_items i
  where i.memory_id = of_memory and i.tenant_id = for_tenant and (i.expires_at is null or i.expires_at > now())
    and (i.namespace, i.key) > (after_namespace collate "C", after_key collate "C")
  order by i.namespace, i.key limit 1;
end $$;

create or replace function delete_graph_items(for_tenant uuid, of_memory uuid, places jsonb) returns void
language plpgsql security definer set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  if not reach_allowed(for_tenant, of_memory) then
    return;
  end if;
  with wanted as materialized (
    select array(select jsonb_array_elements_text(w.place -> 'namespace')) collate "C" as namespace, w.place ->> 'key' as key
    from jsonb_array_elements(places) as w (place)
  )
  delete from graph_items i using wanted w
  where i.memory_id = of_memory and i.tenant_id = for_tenant and i.namespace = w.namespace and i.key = w.key;
end $$;
