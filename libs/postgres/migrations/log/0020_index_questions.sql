-- Up Migration

-- What users asked, so that an answer to the same words is found without reading the log. It is no part of an append:
-- kept with every append, its indexes would cost a third of it (docs/adr). Whoever wants it up to date calls
-- index_questions, and a reader looks at what the log holds beyond the cursor by itself. The previous release survives
-- this: it does not know the tables.
create table questions (
  -- Of the user's message.
  position bigint not null,
  tenant_id uuid not null,
  -- The same words asked in the same session, by the same actor, of the same memory: question_key.
  of_session bigint not null,
  of_actor bigint not null,
  of_memory bigint not null
);
create index questions_of_session on questions (of_session, position);
create index questions_of_actor on questions (of_actor, position);
create index questions_of_memory on questions (of_memory, position);

-- Up to where the log has been taken in.
create table question_cursor (
  name text primary key,
  position bigint not null
);
insert into question_cursor (name, position) values ('questions', 0);

-- A short stand-in for a scope and the words in it. Readers compare the words themselves.
create function question_key(scope text, words text) returns bigint language sql immutable strict parallel safe as $$
  select hashtextextended(words, hashtextextended(scope, 0));
$$;

-- The words of a user's message; null for any other event.
create function question_words(type text, data json) returns text language sql immutable parallel safe as $$
  select case
    when type = 'message.appended' and lower(data ->> 'role') in ('user', 'human') then nullif(data ->> 'content', '')
  end;
$$;

-- Takes at most so many further positions of the log in, and answers how many are left; null when somebody else is at it.
create function index_questions(most integer)
returns bigint language plpgsql security definer set search_path from current as $$
declare
  done bigint;
  head bigint;
  upto bigint;
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
  insert into questions (position, tenant_id, of_session, of_actor, of_memory)
  select
    e.position, e.tenant_id,
    question_key('session:' || e.session_key, e.words),
    question_key('actor:' || e.memory_id || ':' || s.actor_id, e.words),
    question_key('memory:' || e.memory_id, e.words)
  from (
    select i.*, question_words(i.type, i.data) as words from events i
    where i.partition = 0 and i.position > done and i.position <= upto
    order by i.position
  ) e
  join sessions s on s.session_key = e.session_key
  where e.words is not null;
  update question_cursor set position = upto where name = 'questions';
  return head - upto;
end $$;

-- Whatever takes an event away takes its question along.
create function forget_questions() returns trigger language plpgsql security definer set search_path from current as $$
begin
  delete from questions q
  using (select g.position, g.session_key, question_words(g.type, g.data) as words from gone g) g
  where g.words is not null
    and q.of_session = question_key('session:' || g.session_key, g.words) and q.position = g.position;
  return null;
end $$;
create trigger forget_questions after delete on events
  referencing old table as gone for each statement execute function forget_questions();

-- Resets are few, and sessions may be long.
create index events_resets on events (session_key, sequence) where type = 'history.reset';

-- An interruption quotes the message that it cuts: it is erased with it.
create or replace function erase_event(for_tenant uuid, of_session bigint, of_event uuid)
returns void language plpgsql security definer set search_path from current as $$
begin
  perform set_config('turnkeeper.tombstone_reason', 'erased', true);
  delete from events e
  where e.session_key = of_session and e.tenant_id = for_tenant and e.type = 'message.interrupted'
    and e.sequence > (select m.sequence from events m where m.event_id = of_event)
    and e.data ->> 'messageEventId' = of_event::text;
  delete from events e where e.event_id = of_event and e.tenant_id = for_tenant and e.session_key = of_session;
end $$;
