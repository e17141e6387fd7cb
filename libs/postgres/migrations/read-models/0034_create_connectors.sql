-- Up Migration

create table connectors (
  connector_id uuid primary key,
  tenant_id uuid not null,
  memory_id uuid not null,
  vendor text not null,
  description text not null,
  -- How actor and session are found.
  places json not null,
  -- { secret, createdAt, expiresAt }, newest first.
  secrets json not null,
  created_at timestamptz not null
);
create index connectors_by_tenant on connectors (tenant_id, created_at);

create table connector_instances (
  connector_id uuid not null references connectors on delete cascade,
  instance_id text not null,
  actor_id text not null,
  session_id text not null,
  primary key (connector_id, instance_id)
);

-- What vendors sent. A row stays for a while after its body has gone, so that repeats are told.
create table connector_notices (
  connector_id uuid not null references connectors on delete cascade,
  notice_key text not null,
  tenant_id uuid not null,
  call_key text,
  event_type text not null,
  body bytea,
  status text not null,
  code text,
  received_at timestamptz(3) not null default now(),
  -- The order of arrival.
  arrival bigint generated always as identity,
  primary key (connector_id, notice_key)
);
create index connector_notices_of_call on connector_notices (connector_id, call_key, arrival)
  where status in ('waiting', 'applied', 'parked');
create index connector_notices_listed on connector_notices (connector_id, received_at desc, notice_key desc);
create index connector_notices_old on connector_notices (received_at) where status in ('folded', 'ignored');

-- Each signature of a vendor that does not sign its messages is taken for one message only.
create table connector_stamps (
  connector_id uuid not null references connectors on delete cascade,
  stamp text not null,
  notice_key text not null,
  seen_at timestamptz not null default now(),
  primary key (connector_id, stamp)
);
create index connector_stamps_old on connector_stamps (seen_at);

-- Work that is due: one row for each call of which notices came.
create table connector_calls (
  connector_id uuid not null references connectors on delete cascade,
  call_key text not null,
  tenant_id uuid not null,
  due_at timestamptz,
  settled_round bigint,
  failures integer not null default 0,
  -- Grows with every notice.
  version bigint not null default 1,
  -- Grows with every claim: a late holder's write does not match it.
  fence bigint not null default 0,
  lease_until timestamptz,
  updated_at timestamptz not null default now(),
  primary key (connector_id, call_key)
);
create index connector_calls_due on connector_calls (due_at) where due_at is not null;
