-- Up Migration

-- Like index_turns, and replaces turns that are indexed already by what an interruption left of them.
-- `cut`: session_key, sequence, and the turn as in `turns`; `terms` null if nothing of it is left.
-- `of_sessions`: the sessions of all of these, which are locked in order.
create function index_heard_turns(after_position bigint, upto_position bigint, turns json, cut json, of_sessions bigint[])
returns bigint
language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  reached bigint;
  n record;
begin
  select c.position into reached from question_cursor c where c.name = 'turns' for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  perform from turn_sessions o where o.session_key = any (of_sessions) order by o.session_key for update;
  reached := index_turns(after_position, upto_position, turns);
  if json_array_length(cut) = 0 then
    return reached;
  end if;

  for n in
    select t.session_key, t.place, t.terms as held, o.actor_key, turn_memory(o.tenant_id, o.memory_id) as memory,
           c.day, c.traits, c.speaker, c.language, c.words, c.terms as stems, c.counts
    from json_to_recordset(cut) as c (
      session_key bigint, sequence bigint, day integer, traits smallint, speaker text, language text, words integer,
      terms text[], counts smallint[]
    )
    cross join lateral (
      select i.* from turns i where i.session_key = c.session_key and i.sequence = c.sequence limit 1
    ) t
    cross join lateral (select i.* from turn_sessions i where i.session_key = c.session_key limit 1) o
  loop
    delete from turn_words w
    where w.word = any (n.held) and w.actor_key = n.actor_key and w.session_key = n.session_key and w.place = n.place;
    if n.stems is null then
      delete from turns t where t.session_key = n.session_key and t.place = n.place;
      continue;
    end if;
    update turns t
    set day = n.day, traits = n.traits, speaker = n.speaker, language = n.language, words = n.words,
        terms = array(select hashtextextended(stem, n.memory) from unnest(n.stems) stem), counts = n.counts
    where t.session_key = n.session_key and t.place = n.place;
    insert into turn_words (word, actor_key, session_key, place, count, words)
    select hashtextextended(w.stem, n.memory), n.actor_key, n.session_key, n.place, w.count, least(n.words, 32767)
    from unnest(n.stems, n.counts) as w (stem, count);
  end loop;

  update turn_sessions o
  set turns = m.turns, words = m.words, first_day = m.first_day, last_day = m.last_day, speakers = m.speakers,
      languages = m.languages
  from (
    select t.session_key, count(*) as turns, sum(t.words) as words, min(t.day) as first_day, max(t.day) as last_day,
           coalesce(array_agg(distinct t.speaker) filter (where t.speaker is not null), '{}') as speakers,
           array_agg(distinct t.language) as languages
    from turns t where t.session_key in (select (c ->> 'session_key')::bigint from json_array_elements(cut) c)
    group by t.session_key
  ) m
  where o.session_key = m.session_key;
  delete from turn_sessions o
  where o.session_key in (select (c ->> 'session_key')::bigint from json_array_elements(cut) c)
    and not exists (select from turns t where t.session_key = o.session_key);
  return reached;
end $$;

-- A vector without a value is deleted: nothing of the turn was heard. Positions up to `after_position` are those of turns
-- that an interruption has cut since.
create or replace function keep_turn_vectors(of_model integer, after_position bigint, upto_position bigint, vectors json)
returns bigint
language plpgsql security definer set search_path from current as $$
declare
  reached bigint;
  upto bigint := upto_position;
  wanted bigint[];
  held bigint[];
begin
  select m.position into reached from embedding_models m where m.model_id = of_model for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  select array_agg((v ->> 'position')::bigint) into wanted from json_array_elements(vectors) v;
  -- The events are locked until the commit: a later deletion finds the rows written here. An event that is being
  -- deleted ends this batch before it.
  select array_agg(e.position) into held from (
    select i.position from events i where i.partition = 0 and i.position = any (wanted) for key share skip locked
  ) e;
  select least(upto, min(e.position) - 1) into upto from events e
  where e.partition = 0 and e.position = any (wanted) and e.position > after_position
    and e.position <> all (coalesce(held, '{}'));
  upto := coalesce(upto, upto_position);
  delete from turn_vectors t
  using json_to_recordset(vectors) as v (position bigint, vector text), events e
  where v.position = any (held) and v.position <= upto and v.vector is null
    and e.partition = 0 and e.position = v.position
    and t.session_key = e.session_key and t.sequence = e.sequence and t.model_id = of_model;
  insert into turn_vectors as t (session_key, sequence, model_id, tenant_id, vector)
  select e.session_key, e.sequence, of_model, e.tenant_id, decode(v.vector, 'base64')
  from json_to_recordset(vectors) as v (position bigint, vector text)
  join events e on e.partition = 0 and e.position = v.position
  where v.position <= upto and v.position = any (held) and v.vector is not null
  on conflict (session_key, sequence, model_id) do update set vector = excluded.vector
  where t.vector is distinct from excluded.vector;
  update embedding_models m set position = upto where m.model_id = of_model;
  return upto;
end $$;

-- Processes of earlier releases index turns as they were generated, during an upgrade too. Up to this position, the
-- interruptions of indexed turns are applied to the index; an indexer applies the others first.
insert into question_cursor (name, position) values ('heard_turns', 0);

-- Moves that position on, unless another process has done so.
create function pass_heard_turns(after_position bigint, upto_position bigint) returns void
language sql security definer set search_path from current as $$
  update question_cursor set position = upto_position where name = 'heard_turns' and position = after_position;
$$;
