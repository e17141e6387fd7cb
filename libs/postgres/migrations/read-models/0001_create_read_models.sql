-- Up Migration

-- Projections of the log: dropped and made again by a rebuild.

create table memories (
  memory_id uuid primary key,
  tenant_id uuid not null,
  name text not null,
  description text not null,
  event_expiry_duration integer not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index memories_by_tenant on memories (tenant_id, created_at desc, memory_id);

create table strategies (
  strategy_id uuid primary key,
  tenant_id uuid not null,
  memory_id uuid not null references memories on delete cascade,
  ordinal integer not null,
  name text not null,
  type text not null,
  version integer not null,
  namespace_template text not null,
  automatic boolean not null,
  custom_prompt text,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index strategies_by_memory on strategies (memory_id, ordinal);

create table agents (
  agent_id uuid primary key,
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
  stop_reason text
);
create unique index agents_running_name on agents (tenant_id, name) where status = 'RUNNING';

create table records (
  record_id uuid primary key,
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
  -- The log event that made it.
  event_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  superseded_by uuid,
  valid_to timestamptz,
  words tsvector generated always as (to_tsvector('english', text)) stored
);
create unique index records_by_fact on records (memory_id, namespace, md5(fact_key));
create index records_by_namespace on records (memory_id, namespace, created_at desc, record_id);
create index records_by_words on records using gin (words);

create table record_sources (
  record_id uuid not null references records on delete cascade,
  event_id uuid not null,
  tenant_id uuid not null,
  session_key bigint,
  sequence bigint not null,
  role text not null,
  quote text not null,
  primary key (record_id, event_id, quote)
);
create index record_sources_by_event on record_sources (event_id);

-- Work that is due. Rows decide; the queue only runs them.

create table dispatch_cursor (
  name text primary key,
  position bigint not null
);

create table extraction_states (
  session_key bigint not null,
  strategy_id uuid not null references strategies on delete cascade,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_id text not null,
  session_id text not null,
  -- Extracted ranges tile 1..watermark.
  watermark bigint not null default 0,
  newest_sequence bigint not null default 0,
  -- Extract without waiting for turns or quiet until the watermark is here (agent stop, on demand).
  flush_through bigint not null default 0,
  pending_turns integer not null default 0,
  status text not null default 'idle',
  due_at timestamptz,
  attempts integer not null default 0,
  -- Grows with every claim: a late holder's write does not match it.
  fence bigint not null default 0,
  lease_until timestamptz,
  last_code text,
  last_answer text,
  records_made bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (session_key, strategy_id)
);
create index extraction_states_due on extraction_states (due_at) where due_at is not null;
create index extraction_states_by_memory on extraction_states (memory_id, strategy_id);

create table webhook_endpoints (
  endpoint_id uuid primary key,
  tenant_id uuid not null,
  url text not null,
  description text not null,
  events text[],
  format text not null,
  secrets json not null,
  status text not null,
  created_at timestamptz not null default now()
);
create index webhook_endpoints_by_tenant on webhook_endpoints (tenant_id, created_at);

create table webhook_deliveries (
  delivery_id uuid primary key,
  tenant_id uuid not null,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_type text not null,
  -- The log event that caused it.
  cause_event_id uuid not null,
  agent_id uuid not null,
  message_id text not null,
  -- Frozen before the first attempt; every attempt sends these bytes.
  body bytea,
  status text not null default 'pending',
  attempts integer not null default 0,
  round integer not null default 1,
  due_at timestamptz,
  last_reason text,
  park_reason text,
  fence bigint not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  unique (endpoint_id, message_id)
);
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null;
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at desc);

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  -- Counted over all rounds.
  attempt integer not null,
  at timestamptz not null default now(),
  reason text not null,
  status integer,
  duration_ms integer not null,
  detail text,
  primary key (delivery_id, attempt)
);

-- Poison that was set aside, visible and replayable.
create table parked_items (
  source text not null,
  item_id text not null,
  code text not null,
  error text not null,
  payload text not null,
  attempts integer not null,
  parked_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (source, item_id)
);

-- Who may call.

create table tenants (
  tenant_id uuid primary key,
  name text not null unique,
  created_at timestamptz not null default now()
);

create table api_keys (
  key_id text primary key,
  tenant_id uuid not null references tenants on delete cascade,
  description text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
