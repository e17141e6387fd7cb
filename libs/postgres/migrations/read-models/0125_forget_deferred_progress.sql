-- Up Migration

-- What was put off for a session goes with the session's row, in the transaction that erases it. Until now it stayed until
-- the dispatcher came to it. The previous release survives this: it does the same, later.
create function forget_deferred_progress() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from deferred_progress d using gone g where d.session_key = g.session_key;
  return null;
end $$;
create trigger forget_deferred_progress after delete on sessions
  referencing old table as gone for each statement execute function forget_deferred_progress();
