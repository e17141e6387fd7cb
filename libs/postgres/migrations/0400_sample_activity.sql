-- Up Migration

-- One row per ten seconds for the whole installation, written by one of the workers and kept for two hours. The previous
-- release survives this: it neither reads nor writes it.
create table activity_samples (
  slot bigint primary key,
  taken_at timestamptz(3) not null,
  position bigint not null,
  parked int not null,
  lags jsonb not null,
  due jsonb not null,
  attempts_delivered int not null,
  attempts_failed int not null
);

-- Finds the attempts since the previous sample.
create index webhook_attempts_by_time on webhook_attempts (at);
