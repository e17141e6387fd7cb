-- Up Migration

-- The words of every turn, so that conversations can be searched. Like the index of questions it is no part of an append:
-- the worker keeps it right behind the log's head, and a reader adds what the log holds beyond it. The words are cut and
-- stemmed by the processes (they know languages that Postgres does not); the tables know them as numbers only. The
-- previous release survives this: it does not know the tables.

-- One row for each session that has turns.
create table turn_sessions (
  session_key bigint primary key,
  tenant_id uuid not null,
  memory_id uuid not null,
  -- turn_actor: stands for the actor within the memory.
  actor_key bigint not null,
  -- The highest place given out. A place is not given twice while the session has a turn.
  last_place integer not null,
  turns integer not null,
  -- Words of all its turns, stop words left out.
  words bigint not null,
  -- Days since 1970, UTC.
  first_day integer not null,
  last_day integer not null,
  speakers text[] not null,
  languages text[] not null
);
create index turn_sessions_of_actor on turn_sessions (memory_id, actor_key);

create table turns (
  session_key bigint not null,
  -- Among the session's turns, from 1: other events leave no gap between neighbours.
  place integer not null,
  sequence bigint not null,
  tenant_id uuid not null,
  day integer not null,
  -- 1 ends with a question, 2 holds one, 4 says when, 8 and 16 proper nouns (0-3), 32 the user's, 64 the assistant's.
  traits smallint not null,
  speaker text,
  language text not null,
  words integer not null,
  -- Of its rows in turn_words.
  terms bigint[] not null,
  primary key (session_key, place)
);
create unique index turns_by_sequence on turns (session_key, sequence);

-- One row for each word of a turn. Only ever inserted and deleted; a search reads the index alone.
create table turn_words (
  -- turn_word: stands for the word within the memory.
  word bigint not null,
  actor_key bigint not null,
  session_key bigint not null,
  place integer not null,
  -- How often the turn says it, and how many words the turn has.
  count smallint not null,
  words smallint not null,
  primary key (word, actor_key, session_key, place) include (count, words)
);
-- Read through functions that know whose words they are: the rows themselves do not say.
alter table turn_words set (autovacuum_vacuum_insert_scale_factor = 0.05);

insert into question_cursor (name, position) values ('turns', 0);

-- The tenant is part of every number, so that the words of one memory cannot be asked for in the name of another tenant.
create function turn_memory(for_tenant uuid, of_memory uuid) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(of_memory::text, hashtextextended(for_tenant::text, 0));
$$;

-- Takes turns in that a process has cut into words: those of the log after one position, up to and with another. Answers
-- how far the index is then; null when another process is at it. `turns`: [{position, day, traits, speaker, language,
-- words, terms, counts}] in the order of their positions.
create function index_turns(after_position bigint, upto_position bigint, turns json)
returns bigint language plpgsql security definer set search_path from current as $$
declare
  reached bigint;
  upto bigint := upto_position;
  wanted bigint[];
  held bigint[];
begin
  select c.position into reached from question_cursor c where c.name = 'turns' for update skip locked;
  if reached is null or reached <> after_position then
    return reached;
  end if;
  select array_agg((t ->> 'position')::bigint) into wanted from json_array_elements(turns) t;
  -- Held until the commit: a deletion that comes later finds the rows that are written here, and one that came earlier
  -- ends what is taken in this time right before it.
  select array_agg(e.position) into held from (
    select i.position from events i where i.partition = 0 and i.position = any (wanted) for key share skip locked
  ) e;
  select least(upto, min(e.position) - 1) into upto from events e
  where e.partition = 0 and e.position = any (wanted) and e.position <> all (coalesce(held, '{}'));
  upto := coalesce(upto, upto_position);

  perform from turn_sessions o
  where o.session_key in (
    select e.session_key from events e where e.partition = 0 and e.position = any (held)
  ) order by o.session_key for update;
  with taken as materialized (
    select
      e.session_key, e.sequence, e.tenant_id, e.memory_id, m.memory, hashtextextended(s.actor_id, m.memory) as actor_key,
      coalesce(o.last_place, 0) + row_number() over (partition by e.session_key order by e.position) as place,
      t.day, t.traits, t.speaker, t.language, t.words, t.terms as stems, t.counts
    from json_to_recordset(turns) as t (
      position bigint, day integer, traits smallint, speaker text, language text, words integer, terms text[],
      counts smallint[]
    )
    join events e on e.partition = 0 and e.position = t.position
    join sessions s on s.session_key = e.session_key
    left join turn_sessions o on o.session_key = e.session_key
    cross join lateral (select turn_memory(e.tenant_id, e.memory_id) as memory) m
    where t.position <= upto and t.position = any (held)
  ), of_sessions as (
    insert into turn_sessions as o
    select n.session_key, (array_agg(n.tenant_id))[1], (array_agg(n.memory_id))[1], max(n.actor_key), max(n.place),
           count(*), sum(n.words), min(n.day), max(n.day),
           coalesce(array_agg(distinct n.speaker) filter (where n.speaker is not null), '{}'),
           array_agg(distinct n.language)
    from taken n group by n.session_key order by n.session_key
    on conflict (session_key) do update
    set last_place = excluded.last_place, turns = o.turns + excluded.turns, words = o.words + excluded.words,
        first_day = least(o.first_day, excluded.first_day), last_day = greatest(o.last_day, excluded.last_day),
        speakers = array(select distinct x from unnest(o.speakers || excluded.speakers) x order by x),
        languages = array(select distinct x from unnest(o.languages || excluded.languages) x order by x)
  ), of_turns as (
    insert into turns (session_key, place, sequence, tenant_id, day, traits, speaker, language, words, terms)
    select n.session_key, n.place, n.sequence, n.tenant_id, n.day, n.traits, n.speaker, n.language, n.words,
           array(select hashtextextended(stem, n.memory) from unnest(n.stems) stem)
    from taken n
  )
  insert into turn_words (word, actor_key, session_key, place, count, words)
  select hashtextextended(w.stem, n.memory), n.actor_key, n.session_key, n.place, w.count, least(n.words, 32767)
  from taken n cross join lateral unnest(n.stems, n.counts) as w (stem, count)
  order by 1, 2, 3, 4;
  update question_cursor set position = upto where name = 'turns';
  return upto;
end $$;

-- Whatever takes an event away takes its words along, and what its session is known by.
create function forget_turns() returns trigger language plpgsql security definer set search_path from current as $$
begin
  if not exists (select from gone g where g.type = 'message.appended') then
    return null;
  end if;
  perform from turn_sessions o
  where o.session_key in (select g.session_key from gone g where g.session_key is not null) order by o.session_key for update;
  with forgotten as (
    delete from turns t using gone g where t.session_key = g.session_key and t.sequence = g.sequence
    returning t.session_key, t.place, t.terms
  )
  delete from turn_words w
  using forgotten f join turn_sessions o using (session_key) cross join lateral unnest(f.terms) as term
  where w.word = term and w.actor_key = o.actor_key and w.session_key = f.session_key and w.place = f.place;
  update turn_sessions o
  set turns = n.turns, words = n.words, first_day = n.first_day, last_day = n.last_day,
      speakers = n.speakers, languages = n.languages
  from (
    select t.session_key, count(*) as turns, sum(t.words) as words, min(t.day) as first_day, max(t.day) as last_day,
           coalesce(array_agg(distinct t.speaker) filter (where t.speaker is not null), '{}') as speakers,
           array_agg(distinct t.language) as languages
    from turns t where t.session_key in (select g.session_key from gone g) group by t.session_key
  ) n
  where o.session_key = n.session_key;
  delete from turn_sessions o
  where o.session_key in (select g.session_key from gone g)
    and not exists (select from turns t where t.session_key = o.session_key);
  return null;
end $$;
create trigger forget_turns after delete on events
  referencing old table as gone for each statement execute function forget_turns();

-- Empties the index, so that it is made anew from the log.
create function drop_turns() returns void language plpgsql security definer set search_path from current as $$
begin
  perform from question_cursor c where c.name = 'turns' for update;
  truncate turns, turn_words, turn_sessions;
  update question_cursor set position = 0 where name = 'turns';
end $$;

-- What the index holds, as rows and one hash; equal for the same log whenever it was taken in. A place counts by its rank:
-- turns that are gone leave no trace in an index that was made after them.
create function hash_turns() returns table (rows bigint, hash text) language sql stable security definer
set search_path from current as $$
  select count(*), md5(coalesce(string_agg(t.line, E'\n' order by t.session_key, t.rank), ''))
  from (
    select t.session_key, row_number() over (partition by t.session_key order by t.place) as rank,
           concat_ws('|', t.session_key::text, t.sequence, t.day, t.traits, t.speaker, t.language, t.words, o.actor_key,
                     (select string_agg(concat(w.word, ':', w.count), ',' order by w.word) from turn_words w
                      where w.word = any (t.terms) and w.actor_key = o.actor_key
                        and w.session_key = t.session_key and w.place = t.place)) as line
    from turns t join turn_sessions o using (session_key)
    join events e on e.session_key = t.session_key and e.sequence = t.sequence
    -- What has expired is purged soon; an index that is made now leaves it out.
    where e.expires_at is null or e.expires_at > now()
  ) t;
$$;

-- Where the words of a scope occur: for each stem (by its number, from 1) and session the places, how often there, and
-- how many words the turn has. In a large scope (`best` given) only near the turns that hold the most of the rarest words;
-- `turns`, `sessions` and `total` count all of them in either case.
create function find_turn_words(
  for_tenant uuid, of_memory uuid, of_actor text, of_session bigint, stems text[], best integer,
  scope_turns float8, average_words float8, reach integer
)
returns table (stem integer, turns integer, sessions integer, session_key bigint, total integer, session_words bigint,
               places text)
language plpgsql stable security definer set search_path from current
set jit = off set enable_seqscan = off set max_parallel_workers_per_gather = 0 as $$
#variable_conflict use_column
declare
  memory constant bigint := turn_memory(for_tenant, of_memory);
  actor constant bigint := hashtextextended(of_actor, memory);
  found record;
begin
  if not tenant_allowed(for_tenant) then
    return;
  end if;
  return query
  with word as (
    select w.n::integer as n, hashtextextended(w.stem, memory) as word from unnest(stems) with ordinality w (stem, n)
  ), p as materialized (
    select w.n, p.session_key, p.place, p.count, p.words
    from word w join turn_words p on p.word = w.word where of_actor is null
    union all
    select w.n, p.session_key, p.place, p.count, p.words
    from word w join turn_words p on p.word = w.word and p.actor_key = actor
    where of_actor is not null and of_session is null
    union all
    select w.n, p.session_key, p.place, p.count, p.words
    from word w join turn_words p on p.word = w.word and p.actor_key = actor and p.session_key = of_session
    where of_session is not null
  ), of_sessions as (
    select p.n, p.session_key, count(*) as turns, sum(p.count) as total from p group by p.n, p.session_key
  ), counted as (
    select o.n, sum(o.turns) as turns, count(*) as sessions from of_sessions o group by o.n
  ), rarest as (
    -- The rarest words, as many as have 20,000 places together: a common word finds nothing that they do not.
    select c.n, ln(1 + (scope_turns - c.turns + 0.5) / (c.turns + 0.5)) as weight,
           sum(c.turns) over (order by c.turns, c.n) - c.turns as before
    from counted c
  ), chosen as materialized (
    select p.session_key, p.place
    from p join rarest r on r.n = p.n and r.before < 20000
    where best is not null
    group by p.session_key, p.place
    order by sum(r.weight * p.count / (p.count + 0.9 * (0.6 + 0.4 * p.words / average_words))) desc, 1, 2
    limit best
  ), near as (
    select distinct c.session_key, c.place + d.distance as place
    from chosen c cross join generate_series(-reach, reach) as d (distance)
  ), listed as (
    select p.* from p where best is null
    union all
    select p.* from p join near using (session_key, place)
  )
  select l.n, c.turns::integer, c.sessions::integer, l.session_key, o.total::integer, s.words,
         string_agg(concat_ws(' ', l.place, l.count, l.words), ' ')
  from listed l
  join counted c on c.n = l.n
  join of_sessions o on o.n = l.n and o.session_key = l.session_key
  join turn_sessions s on s.session_key = l.session_key and s.tenant_id = for_tenant
  group by l.n, c.turns, c.sessions, l.session_key, o.total, s.words;
end $$;
