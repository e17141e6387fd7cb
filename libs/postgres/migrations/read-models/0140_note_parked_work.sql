-- Up Migration

-- What an operator has been told about work that was set aside, and what was dropped. A row belongs to one parking: an
-- item that is replayed and parked again is news again. The previous release survives this: it does not know the table.
create table parked_notes (
  kind text not null,
  item_key text not null,
  parked_at timestamptz not null,
  noted_at timestamptz not null default now(),
  dropped_at timestamptz,
  primary key (kind, item_key, parked_at)
);

create index parked_items_open on parked_items (parked_at) where resolved_at is null;
create index extraction_states_all_parked on extraction_states (updated_at) where status = 'parked';
create index webhook_deliveries_parked on webhook_deliveries (created_at) where status = 'parked';
create index connector_notices_parked on connector_notices (received_at) where status = 'parked';
