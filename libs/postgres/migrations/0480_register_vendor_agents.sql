-- Up Migration

-- Agent profiles that were registered through a vendor's API: settings, not a projection. The previous release survives
-- this: it neither reads nor writes it.
create table vendor_agents (
  tenant_id uuid not null,
  vendor text not null,
  app_id text not null,
  -- Ordered by bytes, so that pages do not depend on the server's locale.
  agent_id text collate "C" not null,
  name text not null,
  -- In the vendor's spelling; never contains its key.
  llm json not null,
  primary key (tenant_id, vendor, app_id, agent_id),
  foreign key (tenant_id, vendor, app_id) references vendor_apps on delete cascade
);
