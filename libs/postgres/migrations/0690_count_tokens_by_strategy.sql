-- Up Migration

-- Model usage of a strategy per day (UTC). The previous release survives this: it neither reads nor writes it, so the
-- calls that it makes are counted for their tenant only (`model_usage`).
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
