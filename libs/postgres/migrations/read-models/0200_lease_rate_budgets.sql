-- Up Migration

-- The previous release survives this: it does not know the table, and the new column has a default.

-- What a tenant may do, where that differs from the installation's own limits: numbers by the limit's name.
alter table tenants add column limits jsonb not null default '{}';

-- What is left of each tenant's rates, for all processes together; they lease slices of it. Unlogged: after a crash of the
-- server every tenant starts with a full budget, and in return a lease costs no WAL.
create unlogged table rate_budgets (
  tenant_id uuid not null,
  kind text not null,
  tokens double precision not null,
  filled_at timestamptz not null,
  per_second double precision not null,
  burst double precision not null,
  -- Terms of the lease that was written last.
  want double precision not null,
  debt double precision not null,
  granted double precision not null,
  -- Processes that took a lease lately, each with its time in seconds.
  holders jsonb not null,
  primary key (tenant_id, kind)
) with (fillfactor = 50);
