-- Up Migration

-- What the captured states of a realtime session add up to.
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
create index records_by_actor on records (memory_id, actor_id) where superseded_by is null;
