-- Up Migration

-- Projects at voice platforms: settings, not a projection. The previous release does not know the table.
create table vendor_apps (
  tenant_id uuid not null,
  vendor text not null,
  app_id text not null,
  -- Where agents go that name no memory themselves.
  memory_id uuid not null,
  -- What the platform's requests are signed with; needed in the clear to check them.
  secret text,
  created_at timestamptz not null,
  primary key (tenant_id, vendor, app_id)
);
-- A signature tells which tenant sent a request, so no two may sign alike.
create unique index vendor_apps_by_secret on vendor_apps (vendor, app_id, md5(secret)) where secret is not null;
