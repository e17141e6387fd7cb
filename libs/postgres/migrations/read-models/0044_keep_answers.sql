-- Up Migration

-- The newest answer of a model about the window, in the log, and whether a try still has to read it.
-- The previous release survives this: every new column has a default or may be null.
alter table extraction_states
  add column answer_event_id uuid,
  add column answer_unread boolean not null default false,
  -- What the strategy has cost for this session.
  add column model_calls bigint not null default 0,
  add column input_tokens bigint not null default 0,
  add column output_tokens bigint not null default 0;
create index extraction_states_parked on extraction_states (memory_id, updated_at) where status = 'parked';

-- What a tenant's model calls have used on a day (UTC).
create table model_usage (
  tenant_id uuid not null,
  day date not null,
  calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (tenant_id, day)
);
