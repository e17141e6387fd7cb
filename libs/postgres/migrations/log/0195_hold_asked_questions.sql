-- Up Migration

-- A deletion that ran beside index_questions could leave the question of a deleted message behind: it did not see the
-- index's rows, and the index still saw the message. Messages are now held while they are taken in, as index_turns does.
-- The previous release survives this: it only calls the function.
create or replace function index_questions(most integer)
returns bigint language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
  done bigint;
  head bigint;
  upto bigint;
  held bigint[];
begin
  select c.position into done from question_cursor c where c.name = 'questions' for update skip locked;
  if done is null then
    return null;
  end if;
  head := greatest(
    (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
    (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
    0
  );
  upto := least(head, done + most);
  if upto = done then
    return 0;
  end if;
  -- Held until the commit: a deletion that comes later finds the rows that are written here, and one that came earlier
  -- ends what is taken in this time right before its message, in case it is rolled back.
  held := array(
    select i.position from events i
    where i.partition = 0 and i.position > done and i.position <= upto and i.type = 'message.appended'
    order by i.position
    for key share skip locked
  );
  select least(upto, min(x.position) - 1) into upto from (
    select i.position from events i
    where i.partition = 0 and i.position > done and i.position <= upto and i.type = 'message.appended'
    except select unnest(held)
  ) x;
  insert into questions (position, tenant_id, of_session, of_actor, of_memory)
  select
    e.position, e.tenant_id,
    question_key('session:' || e.session_key, e.words),
    question_key('actor:' || e.memory_id || ':' || e.actor_id, e.words),
    question_key('memory:' || e.memory_id, e.words)
  from (
    select i.position, i.tenant_id, i.memory_id, i.session_key, s.actor_id, question_words(i.type, i.data) as words
    from events i
    cross join lateral (select k.actor_id from sessions k where k.session_key = i.session_key limit 1) as s
    where i.partition = 0 and i.position > done and i.position <= upto
    order by i.position
    -- A fence: without it the words are taken out of the message again for every place where they are named.
    offset 0
  ) e
  where e.words is not null;
  update question_cursor set position = upto where name = 'questions';
  return head - upto;
end $$;
