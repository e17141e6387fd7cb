-- Up Migration

-- One session that is locked, by an erasure say, does not keep the others from being dispatched: what the log says about it
-- is put off and noted when the lock is gone. Redefines note_progress of 0121. The previous release survives this: it
-- does not note what is put off, this release does.
create table deferred_progress (
  session_key bigint primary key,
  newest_sequence bigint not null,
  turns integer not null,
  flush_through bigint not null,
  tried_at timestamptz not null default clock_timestamp()
);
create index deferred_progress_tried on deferred_progress (tried_at);

-- Notes new events for every automatic strategy of their memories. The arrays have an element per session; the events of a
-- session come in their order. True when one of the sessions is due now.
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
  free bigint[];
  busy bigint[];
begin
  -- What an erasure or a commit holds is put off: the others, of other memories above all, must not wait for it.
  free := array(
    select i.session_key from sessions i where i.session_key = any (session_keys) for key share skip locked
  );
  free := array(
    select key from unnest(free) as key
     where not exists (select from deferred_progress d where d.session_key = key)
       and (select count(*) from extraction_states x where x.session_key = key) = (
         select count(*) from (
           select from extraction_states x where x.session_key = key for no key update skip locked
         ) as mine
       )
  );
  busy := array(
    select key from unnest(session_keys) as key
     where key <> all (free) and exists (select from sessions i where i.session_key = key)
  );
  if busy <> '{}' then
    insert into deferred_progress as d (session_key, newest_sequence, turns, flush_through)
    select seen.session_key, seen.newest_sequence, seen.turns, seen.flush_through
      from unnest(session_keys, newest_sequences, turns, flushes)
        as seen(session_key, newest_sequence, turns, flush_through)
     where seen.session_key = any (busy)
     order by seen.session_key
    on conflict (session_key) do update
      set newest_sequence = greatest(d.newest_sequence, excluded.newest_sequence),
          turns = d.turns + excluded.turns,
          flush_through = greatest(d.flush_through, excluded.flush_through);
  end if;
  insert into extraction_states as x
    (session_key, strategy_id, tenant_id, memory_id, actor_id, session_id, newest_sequence, noted_sequence, pending_turns,
     flush_through)
  select seen.session_key, st.strategy_id, st.tenant_id, st.memory_id, se.actor_id, se.session_id,
         seen.newest_sequence, seen.newest_sequence, seen.turns, seen.flush_through
    from unnest(session_keys, newest_sequences, turns, flushes)
      as seen(session_key, newest_sequence, turns, flush_through)
   cross join lateral (
     -- Locked above, where it was free.
     select i.memory_id, i.actor_id, i.session_id from sessions i where i.session_key = seen.session_key limit 1
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
   -- Hidden sessions are read for the one strategy that they were made for.
   where se.session_id >= chr(2) and seen.session_key = any (free)
   order by seen.session_key, st.strategy_id
  on conflict (session_key, strategy_id) do update
    set newest_sequence = greatest(x.newest_sequence, excluded.newest_sequence),
        noted_sequence = greatest(x.noted_sequence, excluded.noted_sequence),
        pending_turns = x.pending_turns + case
          when x.watermark <= x.noted_sequence then excluded.pending_turns
          -- All of these events were read before they came here, or some of them were.
          when x.watermark >= excluded.noted_sequence then 0
          else (
            select count(*) from events e
             where e.session_key = x.session_key and e.sequence > x.watermark and e.sequence <= excluded.noted_sequence
               and is_user_turn(e.type, e.data)
          )
        end,
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
     where s.session_key = any (free) and s.status in ('idle', 'waiting')
       -- A window that failed waits for its own time, whatever arrives meanwhile.
       and s.last_code is null
    returning s.due_at
  )
  select coalesce(bool_or(noted.due_at <= now()), false) into due from noted;
  return due;
end $$;

-- Notes what was put off, as far as it is free now, longest untried first. True when one of the sessions is due now.
create function note_deferred(most integer, turn_interval integer, quiet_seconds double precision)
returns boolean language plpgsql volatile as $$
declare
  keys bigint[];
  newest bigint[];
  counted integer[];
  flushes bigint[];
begin
  with taken as (
    delete from deferred_progress where session_key = any (array(
      select d.session_key from deferred_progress d order by d.tried_at limit most for update skip locked
    ))
    returning *
  )
  select array_agg(t.session_key order by t.session_key), array_agg(t.newest_sequence order by t.session_key),
         array_agg(t.turns order by t.session_key), array_agg(t.flush_through order by t.session_key)
    into keys, newest, counted, flushes
    from taken t;
  return keys is not null and note_progress(keys, newest, counted, flushes, turn_interval, quiet_seconds);
end $$;
