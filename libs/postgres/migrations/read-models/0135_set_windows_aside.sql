-- Up Migration

-- A window whose tries are used up is set aside on its own, and the session goes on behind it. Extracted ranges and these
-- ranges together tile 1..watermark for a session and strategy. The previous release survives this: it does not know the
-- table, and parks whole sessions as it did.
create table parked_windows (
  session_key bigint not null,
  strategy_id uuid not null references strategies on delete cascade,
  -- Names the window: a replay that reads only its beginning moves from_sequence.
  to_sequence bigint not null,
  from_sequence bigint not null,
  tenant_id uuid not null,
  memory_id uuid not null,
  actor_id text not null,
  session_id text not null,
  code text not null,
  -- The failure in its own words; never content.
  cause text,
  attempts integer not null,
  answer_event_id uuid,
  -- The answer is good as far as anyone knows: a replay reads it again instead of asking.
  answer_unread boolean not null default false,
  parked_at timestamptz not null default now(),
  -- Set while a replay is due or under way.
  requested_at timestamptz,
  -- Set when an operator gave the window up. The row stays: it accounts for the range.
  dropped_at timestamptz,
  primary key (session_key, strategy_id, to_sequence)
);
create index parked_windows_of_memory on parked_windows (memory_id, parked_at);
create index parked_windows_open on parked_windows (parked_at) where dropped_at is null and requested_at is null;

-- The end of the parked window that is being replayed; null while the session goes on as usual.
alter table extraction_states add column replay_through bigint;

-- Windows that are parked now are tried once more, and are set aside in the new way if that fails. A strategy that is gone
-- or switched off parks its sessions as before.
update extraction_states
   set status = 'waiting', due_at = now(), attempts = 0, outage_tries = 0, last_code = null, updated_at = now()
 where status = 'parked' and last_code not in ('strategy.not_found', 'strategy.disabled');
