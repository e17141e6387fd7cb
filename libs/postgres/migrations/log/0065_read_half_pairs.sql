-- Up Migration

-- The log keeps text to the letter, and JSON can carry half of a surrogate pair (an emoji that was cut in two), which
-- Postgres refuses to take out of it. One such message would stop everybody who reads the log with `->>`: the dispatcher,
-- and with it extraction and webhooks of all tenants. Read through this, the half is U+FFFD, as every database client
-- makes it. Of all that begins with \ud we
-- write half pairs only, and it is one after an even number of backslashes.
create function well_formed(data json) returns json language sql immutable parallel safe as $$
  select case
    when strpos(data::text, '\ud') = 0 then data
    else regexp_replace(data::text, '(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}', '\1\\ufffd', 'g')::json
  end;
$$;

-- As they were (0060, 0052), but for that.
create or replace function is_user_turn(type text, data json) returns boolean language sql immutable parallel safe as $$
  select type = 'message.appended' and lower(well_formed(data) ->> 'role') in ('user', 'human');
$$;

create or replace function question_words(type text, data json) returns text language sql immutable parallel safe as $$
  select case when is_user_turn(type, data) then nullif(well_formed(data) ->> 'content', '') end;
$$;

create or replace function erase_event(for_tenant uuid, of_session bigint, of_event uuid)
returns void language plpgsql security definer set search_path from current as $$
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  perform set_config('turnkeeper.tombstone_reason', 'erased', true);
  delete from events e
  where e.session_key = of_session and e.tenant_id = for_tenant and e.type = 'message.interrupted'
    and e.sequence > (select m.sequence from events m where m.event_id = of_event)
    and well_formed(e.data) ->> 'messageEventId' = of_event::text;
  delete from events e where e.event_id = of_event and e.tenant_id = for_tenant and e.session_key = of_session;
end $$;
