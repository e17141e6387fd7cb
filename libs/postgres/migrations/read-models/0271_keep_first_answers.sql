-- Up Migration

-- First answers to requests with an Idempotency-Key, for 24 hours. The previous release survives this: it does not know the
-- table.
create table idempotent_requests (
  request_id uuid primary key,
  tenant_id uuid not null,
  route text not null,
  key text not null,
  fingerprint text not null,
  -- Whose erasures erase the answer too; null for none.
  memory_id uuid,
  -- JSON text, encrypted like a secret. Null while the request runs, and after an erasure.
  answer text,
  -- Its answer was erased, or must not be stored any more.
  erased boolean not null default false,
  created_at timestamptz not null default now(),
  -- Without an answer the request counts as running until then.
  running_until timestamptz not null
);
create unique index idempotent_requests_by_key on idempotent_requests (tenant_id, route, key);
create index idempotent_requests_by_age on idempotent_requests (created_at);
create index idempotent_requests_of_memory on idempotent_requests (memory_id) where not erased;
