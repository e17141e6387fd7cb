-- Up Migration

-- Changes a part of a function, which must be there once.
create function pg_temp.change(name regproc, before text, after text) returns void language plpgsql as $$
declare
  source constant text := pg_get_functiondef(name);
begin
  if length(source) - length(replace(source, before, '')) <> length(before) then
    raise exception '% does not contain this once: %', name, before;
  end if;
  execute replace(source, before, after);
end $$;

-- Progress was noted of every session, with locks, and then dropped if its memory has no strategy that extracts by itself.
select pg_temp.change('note_progress', $$  busy bigint[];
$$, $$  busy bigint[];
  extracted bigint[];
$$);
select pg_temp.change('note_progress', $$
  -- Sessions locked by$$, $$
  extracted := array(
    select i.session_key from sessions i where i.session_key = any (session_keys) and exists (
      select from strategies st where st.memory_id = i.memory_id and st.automatic and st.status = 'ACTIVE'
    )
  );
  if extracted = '{}' then
    return false;
  end if;
  -- Sessions locked by$$);
select pg_temp.change('note_progress', 'i.session_key = any (session_keys) for key share', 'i.session_key = any (extracted) for key share');
select pg_temp.change('note_progress', 'select key from unnest(session_keys) as key
     where key <> all', 'select key from unnest(extracted) as key
     where key <> all');

-- The index of turns may be further behind, so that a step appends several turns to a segment: twice `TAIL_SPAN` of
-- turn-search.sql.ts.
select pg_temp.change('find_answer', 'limit 4000', 'limit 20000');
