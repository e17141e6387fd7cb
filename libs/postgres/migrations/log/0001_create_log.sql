-- Up Migration

-- Which memories take events. Written by append_events with the fact that changes it, never by anyone else.
create table memory_gates (
  memory_id uuid primary key,
  tenant_id uuid not null,
  event_expiry_days integer not null check (event_expiry_days between 1 and 365),
  is_open boolean not null
);

-- A short key for (memory, actor, session). Rows are written once: the newest sequence is read from the events,
-- so that no row is updated with every append.
create table sessions (
  session_key bigint generated always as identity primary key,
  tenant_id uuid not null,
  memory_id uuid not null,
  -- Compared byte by byte: quicker than by a language's rules, and an upgrade of those rules cannot break the index.
  actor_id text collate "C" not null,
  session_id text collate "C" not null,
  created_at timestamptz not null,
  unique (memory_id, actor_id, session_id)
);

create table events (
  partition smallint not null,
  -- Dense and in commit order within a partition, from 1.
  position bigint not null,
  event_id uuid not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  session_key bigint,
  -- Dense within a session, from 1; null for facts outside of a session's stream.
  sequence bigint,
  type text not null,
  schema_version smallint not null,
  -- json, not jsonb: the text stays as it came.
  data json not null,
  occurred_at timestamptz,
  recorded_at timestamptz not null,
  expires_at timestamptz,
  -- SHA-256 of the client's request, on the first event of a request only.
  fingerprint bytea,
  primary key (partition, position),
  unique (event_id)
);
create unique index events_by_session on events (session_key, sequence) where sequence is not null;

-- What was erased or has expired leaves its place here and nothing else: a hole without a tombstone is a bug.
create table tombstones (
  partition smallint not null,
  position bigint not null,
  tenant_id uuid not null,
  session_key bigint,
  sequence bigint,
  reason text not null,
  at timestamptz not null,
  primary key (partition, position)
);
create unique index tombstones_by_session on tombstones (session_key, sequence) where sequence is not null;

-- Where readers that publish the log have got to.
create table relay_cursor (
  name text primary key,
  position bigint not null
);

-- Any delete leaves tombstones, also one typed by hand, so that a position is never given out twice.
-- `set local turnkeeper.tombstone_reason = 'expired'` says why.
create function bury_events() returns trigger language plpgsql as $$
begin
  insert into tombstones (partition, position, tenant_id, session_key, sequence, reason, at)
  select partition, position, tenant_id, session_key, sequence,
         coalesce(nullif(current_setting('turnkeeper.tombstone_reason', true), ''), 'deleted'), clock_timestamp()
  from gone;
  return null;
end $$;
create trigger bury_events after delete on events
  referencing old table as gone for each statement execute function bury_events();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'stored events are never edited (% on %)', tg_op, tg_table_name
    using errcode = 'integrity_constraint_violation';
end $$;
create trigger events_are_never_edited before update or truncate on events
  for each statement execute function refuse_change();
create trigger tombstones_stay before update or delete or truncate on tombstones
  for each statement execute function refuse_change();
