-- Up Migration

-- Signatures of requests that vendors' clients made: each is good for one request, because it does not cover the body.
-- The previous release survives this: it does not know the table.
create table vendor_signatures (
  tenant_id uuid not null,
  vendor text not null,
  app_id text not null,
  signature text not null,
  seen_at timestamptz not null default now(),
  primary key (tenant_id, vendor, app_id, signature)
);
create index vendor_signatures_old on vendor_signatures (seen_at);
