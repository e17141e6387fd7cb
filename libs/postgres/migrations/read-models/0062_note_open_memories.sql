-- Up Migration

-- The outline of the log names events of memories and sessions that are gone, for as long as they are not purged: here is
-- where they are left out. The previous release survives this: it does not hand them in.

-- Notes new events for every automatic strategy of their memories. The arrays have an element per session. True when one
-- of the sessions is due now.
create or replace function note_progress(
  session_keys bigint[],
  newest_sequences bigint[],
  turns integer[],
  flushes bigint[],
  turn_interval integer,
  quiet_seconds double precision
)
returns boolean language plpgsql volatile
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
  due boolean;
begin
  insert into extraction_states as x
    (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, newest_sequence, pending_turns, flush_through)
  select seen.session_key, st.strategy_id, st.tenant_id, st.memory_id, se.actor_id, se.session_id,
         seen.newest_sequence, seen.turns, seen.flush_through
    from unnest(session_keys, newest_sequences, turns, flushes)
      as seen(session_key, newest_sequence, turns, flush_through)
   cross join lateral (
     -- An erasure of the session has to wait, or has taken it away.
     select i.memory_id, i.actor_id, i.session_id from sessions i where i.session_key = seen.session_key limit 1
        for key share
   ) as se
   -- Nothing is read of a memory that was deleted.
   cross join lateral (
     select from memory_gates i where i.memory_id = se.memory_id and i.is_open limit 1
   ) as gate
   cross join lateral (
     select i.strategy_id, i.tenant_id, i.memory_id from strategies i
      where i.memory_id = se.memory_id and i.automatic and i.status = 'ACTIVE'
      offset 0
   ) as st
   -- Hidden sessions are read for the strategy that they were made for.
   where se.session_id >= chr(2)
   order by seen.session_key, st.strategy_id
  on conflict (session_key, strategy_id) do update
    set newest_sequence = greatest(x.newest_sequence, excluded.newest_sequence),
        pending_turns = x.pending_turns + excluded.pending_turns,
        flush_through = greatest(x.flush_through, excluded.flush_through),
        updated_at = now();
  if not found then
    return false;
  end if;
  -- A second statement, because the first one cannot see the rows that it inserts.
  with noted as (
    update extraction_states s
       set status = case when s.newest_sequence > s.watermark then 'waiting' else 'idle' end,
           -- While a session is lively, its quiet time starts anew with every event; what is due stays due.
           due_at = least(
             case when s.due_at <= now() then s.due_at end,
             extraction_due(s.strategy_id, s.newest_sequence, s.watermark, s.flush_through, s.pending_turns,
                            turn_interval, quiet_seconds)
           )
     where s.session_key = any (session_keys) and s.status in ('idle', 'waiting')
       -- A window that failed waits for its own time, whatever arrives meanwhile.
       and s.last_code is null
    returning s.due_at
  )
  select coalesce(bool_or(noted.due_at <= now()), false) into due from noted;
  return due;
end $$;
