-- Up Migration

-- Where the trace of a sampled request continues: one row for each event that a later step may work on. Written before
-- the event is appended, read by the relay and by jobs, deleted after an hour. Empty without tracing. The previous
-- release survives this: it does not know the table.
create table if not exists trace_contexts (
  event_id uuid primary key,
  traceparent text not null,
  noted_at timestamptz not null default now()
);
create index if not exists trace_contexts_by_age on trace_contexts (noted_at);
