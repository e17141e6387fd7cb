-- Up Migration

-- Requests to delete many records. The worker carries them out in batches; the rows are the progress. The previous release
-- survives this: it does not know the tables.
create table record_deletions (
  deletion_id uuid primary key,
  tenant_id uuid not null,
  memory_id uuid not null,
  -- {namespace, strategyId, actorId, createdFrom, createdTo}. Null once finished: it may name a person.
  filter json,
  -- Null until the matching records are listed.
  found bigint,
  deleted bigint not null default 0,
  attempts integer not null default 0,
  -- The next attempt; null once finished.
  due_at timestamptz default now(),
  requested_at timestamptz not null default now(),
  finished_at timestamptz
);
create index record_deletions_of_memory on record_deletions (memory_id, deletion_id);
create index record_deletions_due on record_deletions (due_at) where due_at is not null;
create index record_deletions_unfinished on record_deletions (tenant_id) where finished_at is null;
create index record_deletions_finished on record_deletions (finished_at) where finished_at is not null;

-- What is left to delete, in the order in which it is deleted.
create table record_deletion_items (
  deletion_id uuid not null references record_deletions on delete cascade,
  place bigint not null,
  tenant_id uuid not null,
  record_id uuid not null,
  primary key (deletion_id, place)
);
