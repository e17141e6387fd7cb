-- Up Migration

-- The previous release survives this: every new column has a default or may be null.
alter table agents
  add column idle_timeout_seconds integer not null default 0,
  add column load_history integer not null default 0,
  -- The voice platform's project that it was started under.
  add column app_id text,
  add column updated_at timestamptz;
create index agents_by_tenant on agents (tenant_id, started_at desc, agent_id);

-- When a running agent may have been idle for too long. Looked at when due: appends do not touch it.
create table agent_idle_watches (
  agent_id uuid primary key references agents on delete cascade,
  tenant_id uuid not null,
  due_at timestamptz not null
);
create index agent_idle_watches_due on agent_idle_watches (due_at);
