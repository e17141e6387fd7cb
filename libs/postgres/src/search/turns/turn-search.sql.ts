import { COLUMNS, heardIn, READABLE } from '../../log/read/event-row.js';

/** Events not yet indexed that a reader tokenizes itself. `turn_scope` contains the same number. */
export const TAIL = 2_000;
/** Events behind the index among which the tail of a memory, or of a question, is looked for. */
export const TAIL_SPAN = 10_000;
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
 * is more than `TAIL` behind, and `unread` the events of its tail, of which no more than `TAIL` are read. The others have the
 * messages of the tail and those that it interrupts, as they were heard, each with what the index holds of its session. Without
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
    select m.*, k.last_place, k.languages as session_languages, (
      select c.interruptions from cut c where c.event_id = m.event_id and c.session_key = m.session_key::bigint
    ) as interruptions
    from messages m
    left join lateral (
      select i.last_place, i.languages from turn_segments i where i.session_key = m.session_key::bigint
      order by i.first_sequence desc limit 1
    ) k on true
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
      -- The last event that the index has passed, whether or not that is a turn. Within the condition below it would not be looked
      -- up in the index, and all events of the tenant would be read for each session.
      select coalesce((
        select b.sequence from events b
        where b.session_key = s.session_key and b.sequence is not null and b.position <= o.indexed::bigint
        order by b.sequence desc limit 1), 0) as sequence
      offset 0
    ) passed
    cross join lateral (
      select e.* from events e
      where e.session_key = s.session_key and e.sequence > passed.sequence and ${IN_TAIL} and ${READABLE}
      order by e.sequence limit ${TAIL}
    ) e
    where o.head > o.indexed and (o.head - o.indexed <= ${TAIL} or o.asked <= ${TAIL_SESSIONS} or $5)
      and s.tenant_id = $1 and s.memory_id = $2 and s.actor_id = $3 and ($4::text is null or s.session_id = $4)
      and e.position > o.indexed::bigint
    order by e.position limit ${TAIL}`);

/** A whole memory: $1 tenant, $2 memory, $3 and $4 null. Its tail is among the newest events of the log. */
export const READ_MEMORY_SCOPE = scopeAndTail(`
    select ${COLUMNS} from (
      select i.* from events i where i.partition = 0 and i.position > o.indexed::bigint order by i.position desc limit ${2 * TAIL_SPAN}
    ) e
    join sessions s on s.session_key = e.session_key
    where o.head > o.indexed and e.tenant_id = $1 and e.memory_id = $2 and ${IN_TAIL} and ${READABLE}
    order by e.position desc limit ${TAIL}`);

/** Segments of a scope that is read whole. */
export const READ_SEGMENTS = {
  session: `select session_key::float8, speakers, data from turn_segments where tenant_id = $1 and session_key = $2`,
  actor: `select session_key::float8, speakers, data from turn_segments
    where tenant_id = $1 and memory_id = $2 and actor_key = hashtextextended($3, turn_memory($1, $2))`,
  memory: `select session_key::float8, speakers, data from turn_segments where tenant_id = $1 and memory_id = $2`,
} as const;

/**
 * Segments to read of a larger scope: $1 tenant, $2 memory, $3 actor or null, $4 session key or null, $5 words, $6 turns of
 * the scope, $7 how many segments, $8 and $9 first and last days that the question names.
 */
export const FIND_SEGMENTS = `
  select word, segments, sessions, session_key, speakers, data from find_turn_segments($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** Events of turns: $1 tenant, $2 their sessions, $3 their sequences. */
export const READ_TURNS = heardIn(
  `
  select ${COLUMNS} from unnest($2::bigint[], $3::bigint[]) as a (session_key, sequence)
  join events e on e.session_key = a.session_key and e.sequence = a.sequence
  join sessions s on s.session_key = a.session_key
  where e.tenant_id = $1 and ${READABLE}`,
  'p.position',
);
