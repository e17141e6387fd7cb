-- Up Migration

-- The outline is read for every event, and two lookups for each were half of its cost. Whether a session or a memory is
-- still there is asked by those who act on it (note_progress), once per session. The previous release survives this: it
-- asks, too.

create or replace function read_outline(after bigint, most integer)
returns table (
  "position" double precision,
  session_key double precision,
  sequence double precision,
  type text,
  is_user_turn boolean
)
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set jit = off
as $$
#variable_conflict use_column
begin
  return query
  select e.position::float8, e.session_key::float8, e.sequence::float8, e.type, is_user_turn(e.type, e.data)
  from events e
  where e.partition = 0 and e.position > after and (e.expires_at is null or e.expires_at > now())
  order by e.position
  limit most;
end $$;
