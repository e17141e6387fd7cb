-- Up Migration

-- Who did what to which resource. Rows are added and never changed; only retention deletes, and only what is old enough.
-- The previous release survives this: it does not know the table.
create table audit_log (
  entry bigint generated always as identity primary key,
  at timestamptz not null default now(),
  tenant_id uuid not null,
  key_id text not null,
  address text not null,
  action text not null,
  resource text not null,
  status integer not null,
  request_id uuid not null
);
create index audit_log_of_tenant on audit_log (tenant_id, entry);
create index audit_log_by_age on audit_log (at);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - make_interval(days => nullif(current_setting('turnkeeper.audit_days', true), '')::int) then
      return old;
    end if;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_rows before update or delete on audit_log for each row execute function refuse_audit_change();
create trigger audit_log_truncate before truncate on audit_log for each statement execute function refuse_audit_change();
