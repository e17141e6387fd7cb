-- Up Migration

-- For the status page: the services may not read the table of migrations. The previous release does not call it.
create or replace function applied_migrations(out applied integer, out newest text)
language sql stable security definer set search_path from current as $$
  select count(*)::int, max(name) from schema_migrations
$$;
