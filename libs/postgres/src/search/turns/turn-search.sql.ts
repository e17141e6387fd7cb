import { COLUMNS, heardIn, READABLE } from '../../log/read/event-row.js';

/** Events not yet indexed that a reader tokenizes itself. `turn_scope` contains the same number. */
export const TAIL = 2_000;
/**
 * Maximum sessions of an actor that are checked one by one for events beyond the index. Above this, the tail of the log
 * is read.
 */
export const TAIL_SESSIONS = 500;

/** Events that change what a search finds. */
const IN_TAIL = `e.type in ('message.appended', 'message.interrupted')`;

/**
 * What the index holds of a scope, and in the same snapshot what it does not hold yet: a turn that is indexed meanwhile is
 * found in both by what a search reads next, at the same place, and one that is in neither does not exist.
 *
 * The first row has the scope and no event: `asked` counts its sessions, up to one more than `TAIL_SESSIONS`, if the index
 * is more than `TAIL` behind, and `unread` the events of the tail, of which no more than `TAIL` are read. The others have the messages of the tail and those that it interrupts, as they were heard, each
 * with what the index holds of its session, and with its place if it is indexed. Without
 * `limit 1` the planner expects a thousand rows of the function, and compiles the statement.
 */
const scopeAndTail = (tail: string): string => `
  with scope as materialized (
    select indexed, head, asked, sessions, turns, words, first_day, last_day, speakers, languages, session_key as scope_key
    from turn_scope($1, $2, $3, $4, ${TAIL_SESSIONS + 1}) limit 1
  ), events_after as materialized (
    -- The id is a column of its own: row-level security keeps the planner from looking a function of it up in an index.
    select e.*, case when e.type = 'message.interrupted' then (well_formed(e.data) ->> 'messageEventId')::uuid end as cuts
    from scope o cross join lateral (${tail}) e
  ), messages as materialized (
    select m.* from events_after m where m.type = 'message.appended'
    union all
    select distinct on (c.cuts) e.*, null from events_after c
    cross join lateral (
      select ${COLUMNS} from events e cross join (select c.actor_id, c.session_id) s
      where e.tenant_id = $1 and e.event_id = c.cuts and e.session_key = c.session_key::bigint
        and e.type = 'message.appended' and e.position <= (select indexed::bigint from scope) and ${READABLE}
      offset 0
    ) e
  ), cut as materialized (
    select i.* from (select array_agg(m.session_key::bigint) as keys, array_agg(m.event_id) as ids from messages m) m
    cross join lateral interruptions_of($1, m.keys, m.ids, null) i
    where m.keys is not null
  ), tail as materialized (
    select m.*, k.last_place, k.languages as session_languages, t.place, t.language, (
      select c.interruptions from cut c where c.event_id = m.event_id and c.session_key = m.session_key::bigint
    ) as interruptions
    from messages m
    left join lateral (
      select i.last_place, i.languages from turn_sessions i where i.session_key = m.session_key::bigint limit 1
    ) k on true
    left join lateral (
      select i.place, i.language from turns i
      where i.session_key = m.session_key::bigint and i.sequence = m.sequence::bigint limit 1
    ) t on true
  )
  select o.*, (select count(*) from events_after)::float8 as unread, t.* from scope o left join tail t on false
  union all
  select ${Array.from({ length: 12 }, () => 'null').join(', ')}, t.* from tail t`;

/**
 * A scope of one actor: $1 tenant, $2 memory, $3 actor, $4 session or null, $5 whether to read the tail of many sessions
 * although the index is far behind. The limit keeps the planner from reading sessions if there is no tail.
 */
export const READ_ACTOR_SCOPE = scopeAndTail(`
    select ${COLUMNS} from sessions s
    cross join lateral (
      -- Those behind the last event that the index has passed, whether or not that is a turn.
      select e.* from events e where e.session_key = s.session_key and ${IN_TAIL} and ${READABLE}
        and e.sequence > coalesce((
          select b.sequence from events b
          where b.session_key = s.session_key and b.sequence is not null and b.position <= o.indexed::bigint
          order by b.sequence desc limit 1), 0)
      order by e.sequence limit ${TAIL}
    ) e
    where o.head > o.indexed and (o.head - o.indexed <= ${TAIL} or o.asked <= ${TAIL_SESSIONS} or $5)
      and s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and ($4::text is null or s.session_id = $4)
      and e.position > o.indexed::bigint
    order by e.position limit ${TAIL}`);

/** A whole memory: $1 tenant, $2 memory, $3 and $4 null. Its tail is among the newest events of the log. */
export const READ_MEMORY_SCOPE = scopeAndTail(`
    select ${COLUMNS} from (
      select i.* from events i where i.partition = 0 and i.position > o.indexed::bigint order by i.position desc limit ${2 * TAIL}
    ) e
    join sessions s on s.session_key = e.session_key
    where o.head > o.indexed and e.tenant_id = $1 and e.memory_id = $2 and ${IN_TAIL} and ${READABLE}
    order by e.position limit ${2 * TAIL}`);

/** Packed traits of every turn of a scope: $1 tenant, $2 memory, $3 actor or null, $4 session key or null, $5 speaker as below. */
export const READ_ALL_TRAITS = 'select turns from list_turn_traits($1, $2, $3, $4, $5)';

/** Packed traits of selected turns: $1 tenant, $2 sessions, $3 their places, $4 the speaker that the question names, or null. */
export const READ_SOME_TRAITS = `
  select string_agg(t.session_key || ' ' || t.place || ' ' || t.day || ' ' ||
                    (t.traits + case when t.speaker = $4 then 128 else 0 end) || ' ' || t.sequence, ' ') as turns
  from unnest($2::bigint[], $3::integer[]) as a (session_key, place)
  cross join lateral (select i.* from turns i where i.session_key = a.session_key and i.place = a.place limit 1) t
  where t.tenant_id = $1`;

/**
 * Turns of the scope's sessions in a range of days: $1 tenant, $2 memory, $3 actor key or null, $4 from, $5 to, $6
 * limit.
 */
export const FIND_DAYS = `
  select t.session_key::float8, t.place
  from turn_sessions o join turns t on t.session_key = o.session_key
  where o.tenant_id = $1 and o.memory_id = $2
    and ($3::text is null or o.actor_key = hashtextextended($3, turn_memory($1, $2)))
    and o.first_day <= $5 and o.last_day >= $4 and t.day between $4 and $5
  order by t.session_key, t.place limit $6`;

/** All places of stems in a scope: $1 tenant, $2 memory, $3 actor or null, $4 session key or null, $5 stems. */
export const LIST_WORDS = 'select stem, places from list_turn_words($1, $2, $3, $4, $5)';

/**
 * Places of stems near the turns that the first stage selects. One row per stem: a row per session would take longer to
 * send and to parse than to find.
 */
export const FIND_WORDS = `
  select stem, turns, sessions, string_agg(concat_ws(' ', session_key, total, session_words, places), ',') as postings
  from find_turn_words($1, $2, $3, $4, $5, $6, $7, $8, $9) group by stem, turns, sessions`;

/** Events of turns by session and place: $1 tenant, $2 sessions, $3 their places. */
export const READ_TURNS = heardIn(
  `
  select ${COLUMNS}, t.place
  from unnest($2::bigint[], $3::integer[]) as a (session_key, place)
  join turns t on t.session_key = a.session_key and t.place = a.place
  join events e on e.session_key = t.session_key and e.sequence = t.sequence
  join sessions s on s.session_key = t.session_key
  where t.tenant_id = $1 and ${READABLE}`,
  'p.position',
);
