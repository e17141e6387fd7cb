-- Up Migration

-- Ids of erased messages whose append can be repeated: a late repeat must not store the content again. Such ids are
-- derived from the client's key by SHA-256 (version 8), and nothing else of the message is kept. Ids of other messages
-- are new in every request. Processes of the previous release report a repeat as a failure, and do not store it.
set local lock_timeout = '5s';
create table erased_event_ids (
  tenant_id uuid not null,
  event_id uuid not null,
  -- When the event would have expired. After that its append could be repeated anyway.
  until timestamptz not null,
  primary key (tenant_id, event_id)
);
create index erased_event_ids_old on erased_event_ids (until);

-- As before, and keeps the ids.
create or replace function bury_events() returns trigger language plpgsql as $$
declare
  why constant text := coalesce(nullif(current_setting('turnkeeper.tombstone_reason', true), ''), 'deleted');
begin
  insert into tombstones (partition, position, tenant_id, session_key, sequence, reason, at)
  select partition, position, tenant_id, session_key, sequence, why, clock_timestamp()
  from gone;
  if why in ('erased', 'session_erased', 'actor_erased') then
    insert into erased_event_ids (tenant_id, event_id, until)
    select g.tenant_id, g.event_id, coalesce(g.expires_at, clock_timestamp() + interval '365 days') from gone g
    where g.type in ('message.appended', 'message.interrupted', 'binary.appended')
      and substr(g.event_id::text, 15, 1) = '8'
    on conflict do nothing;
  end if;
  return null;
end $$;

-- append_batch as it is, and refuses events with such an id: {"outcome": "content_erased"}.
do $do$
declare
  body text;
  change record;
begin
  select pg_get_functiondef(p.oid) into strict body from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and p.proname = 'append_batch';
  for change in
    select * from (values
      (1, $x$          select case
            when (e.tenant_id, e.memory_id)$x$, $y$          select case
            -- Erased, and about to be deleted.
            when exists (
              select from closed_sessions c
              where c.session_key = e.session_key and c.reason in ('session_erased', 'actor_erased')
            ) then json_build_object('outcome', 'content_erased')
            when (e.tenant_id, e.memory_id)$y$),
      (2, $x$        when r.has_stored_event then$x$, $y$        when r.has_erased_event then json_build_object('outcome', 'content_erased')
        when r.has_stored_event then$y$),
      (3, $x$          -- Null while the agent is running.$x$, $y$          case when u.id_to_look_up is not null then coalesce((
            select true
            from unnest(event_ids[u.first_event : u.first_event + u.event_count - 1]) as i (id)
            where (select x.until from erased_event_ids x where x.tenant_id = u.tenant_id and x.event_id = i.id)
              is not null
            limit 1
          ), false) else false end as has_erased_event,
          -- Null while the agent is running.$y$)
    ) as c (n, before, after) order by n
  loop
    if position(change.before in body) = 0 then
      raise exception 'append_batch has no place for change %', change.n;
    end if;
    body := replace(body, change.before, change.after);
  end loop;
  execute body;
end $do$;
