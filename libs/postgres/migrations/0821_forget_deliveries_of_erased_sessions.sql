-- Up Migration

-- Deletes a limited number of events of closed sessions and returns how many. `keys` null: of any closed session. 0:
-- none is left.
create or replace function purge_sessions(keys bigint[], most integer)
 returns integer
 language plpgsql
 security definer
 set search_path to 'public', 'pg_temp'
as $function$
declare
  closed record;
  deleted integer;
  total integer := 0;
begin
  for closed in
    select c.session_key, c.reason from closed_sessions c
    where c.purged_at is null and (keys is null or c.session_key = any (keys))
    order by c.session_key
    for update skip locked
  loop
    exit when total >= most;
    perform set_config('turnkeeper.tombstone_reason', closed.reason, true);
    with gone as (
      delete from events e where e.ctid = any (array(
        select i.ctid from events i where i.session_key = closed.session_key and i.sequence is not null limit most - total
      ))
      returning e.event_id, e.type
    ), forgotten as (
      -- A dispatcher may have added them after the erasure deleted those of the session.
      delete from webhook_deliveries d using gone g where g.type <> 'message.appended' and d.cause_event_id = g.event_id
    )
    select count(*) into deleted from gone;
    total := total + deleted;
    if total < most then
      with gone as (
        delete from events e where e.ctid = any (array(
          select i.ctid from events i
          where i.session_key = closed.session_key and i.sequence is null limit most - total
        ))
        returning e.event_id
      ), forgotten as (
        delete from webhook_deliveries d using gone g where d.cause_event_id = g.event_id
      )
      select count(*) into deleted from gone;
      total := total + deleted;
    end if;
    if total < most then
      update closed_sessions c set purged_at = clock_timestamp() where c.session_key = closed.session_key;
    end if;
  end loop;
  return total;
end $function$;
