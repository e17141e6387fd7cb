-- Up Migration

-- When a session was last active, so that the sessions of a memory or an actor are listed by recency. Like the index of
-- questions it is no part of an append: the worker keeps it near the log's head, and a reader takes in the rest before it
-- reads. The previous release survives this: it does not know the table.
create table session_activity (
  session_key bigint primary key,
  tenant_id uuid not null,
  memory_id uuid not null,
  -- Stands for the actor within the memory.
  actor_key bigint not null,
  -- Of the newest numbered event that was taken in.
  last_position bigint not null,
  last_at timestamptz not null
);
create index session_activity_of_memory on session_activity (memory_id, last_position desc);
create index session_activity_of_actor on session_activity (memory_id, actor_key, last_position desc);

insert into question_cursor (name, position) values ('activity', 0);

create function activity_actor(for_tenant uuid, of_memory uuid, of_actor text)
returns bigint language sql immutable parallel safe as $$
  select hashtextextended(of_actor, turn_memory(for_tenant, of_memory));
$$;

-- Takes in at most `most` further positions of the log. Returns how many are left; null while another process does it.
create function index_activity(most integer)
returns bigint language plpgsql security definer set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off as $$
declare
  done bigint;
  head bigint;
  upto bigint;
begin
  select c.position into done from question_cursor c where c.name = 'activity' for update skip locked;
  if done is null then
    return null;
  end if;
  head := greatest(
    (select e.position from events e where e.partition = 0 order by e.position desc limit 1),
    (select t.position from tombstones t where t.partition = 0 order by t.position desc limit 1),
    0
  );
  upto := least(head, done + most);
  if upto <= done then
    return 0;
  end if;
  -- An erasure that comes later finds the rows that are written here; an earlier one has deleted the sessions.
  perform from sessions s where s.session_key in (
    select e.session_key from events e
    where e.partition = 0 and e.position > done and e.position <= upto and e.sequence is not null
  ) order by s.session_key for key share;
  insert into session_activity as a (session_key, tenant_id, memory_id, actor_key, last_position, last_at)
  select s.session_key, s.tenant_id, s.memory_id, activity_actor(s.tenant_id, s.memory_id, s.actor_id), n.position, n.at
  from (
    select distinct on (e.session_key) e.session_key, e.position, e.recorded_at as at from events e
    where e.partition = 0 and e.position > done and e.position <= upto and e.sequence is not null
    order by e.session_key, e.position desc
  ) n
  join sessions s on s.session_key = n.session_key
  -- Hidden sessions are in no listing.
  where s.session_id >= chr(2)
  order by s.session_key
  on conflict (session_key) do update set last_position = excluded.last_position, last_at = excluded.last_at;
  update question_cursor set position = upto where name = 'activity';
  return head - upto;
end $$;

create function forget_activity() returns trigger language plpgsql security definer set search_path from current as $$
begin
  delete from session_activity a using gone g where a.session_key = g.session_key;
  return null;
end $$;
create trigger forget_activity after delete on sessions
  referencing old table as gone for each statement execute function forget_activity();
