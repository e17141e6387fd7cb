import { COLUMNS, READABLE } from '../../log/read/event-row.js';

/** Maximum number of non-message events between a question and its answer. */
const NEAR = 64;
/** Askings checked per query. */
export const PAGE = 50;

/**
 * Parameters: $1 tenant, $2 memory, $3 words, $4 position, $5 actor or null, $6 session or null, $7 the words as JSON if
 * the index cannot tell them apart from others, else null.
 */
export type FindParameters = readonly [string, string, string, number, string | null, string | null, string | null];

/**
 * The question as the log's JSON has it, if it contains half of a surrogate pair or U+FFFD. Postgres reads every such
 * half as U+FFFD, so the index finds more than equal texts. Null for other questions: the index is exact for them.
 */
export const exactWords = (question: string): string | null =>
  question.isWellFormed() && !question.includes('\ufffd') ? null : `"content":${JSON.stringify(question)}`;

export type Direction = 'newest' | 'oldest';
const ORDER = { newest: 'desc', oldest: 'asc' } as const;

/** Key of the narrowest scope given. */
const KEYS = {
  of_session: `question_key('session:' || (
    select s.session_key from sessions s where s.memory_id = $2::uuid and s.actor_id = $5::text and s.session_id = $6::text), $3)`,
  of_actor: `question_key('actor:' || $2::uuid || ':' || $5::text, $3)`,
  of_memory: `question_key('memory:' || $2::uuid, $3)`,
} as const;
export type KeyColumn = keyof typeof KEYS;

/** Indexed askings beyond a position. */
export const indexedAskings = (column: KeyColumn, direction: Direction): string =>
  `select q.position from questions q
    where q.${column} = ${KEYS[column]} and q.tenant_id = $1 and q.position ${direction === 'newest' ? '<' : '>'} $4
    order by q.position ${ORDER[direction]} limit ${PAGE}`;

/** Events not yet indexed that a reader scans itself. */
export const TAIL = 2_000;

/**
 * Askings in the log after a position, which are not indexed yet. The limit is a hint for the planner, which would
 * otherwise plan for a third of the log and start parallel workers. It is twice the tail, to allow for concurrent
 * appends.
 */
export const TAIL_ASKINGS = `select i.position from (
    select e.* from events e where e.partition = 0 and e.position > $4 order by e.position desc limit ${2 * TAIL}
  ) i where i.memory_id = $2 and question_words(i.type, i.data) = $3`;

/** Not interrupted before the first word: the newest interruption that says what was heard does not say nothing. */
const HEARD_SOMETHING = `(
      select x.of ->> 'heard' from json_array_elements(well_formed(c.interruptions)) with ordinality x (of, n)
      where x.of ->> 'heard' is not null order by x.n desc limit 1
    ) is distinct from ''`;

/** The answer to the first asking that has one: the directly following message, if it is the assistant's. */
export const findAnswer = (askings: string, direction: Direction): string => `
  with asking as materialized (${askings})
  select ${COLUMNS}, c.interruptions from asking a
  join events u on u.partition = 0 and u.position = a.position
  join sessions s on s.session_key = u.session_key
  cross join lateral (
    select e.* from events e
    where e.session_key = u.session_key and e.sequence > u.sequence and e.sequence <= u.sequence + ${NEAR}
      and e.type = 'message.appended' and ${READABLE}
    order by e.sequence limit 1
  ) e
  left join lateral interruptions_of($1, array[e.session_key], array[e.event_id], null) c on true
  where u.tenant_id = $1 and u.memory_id = $2 and question_words(u.type, u.data) = $3
    and ($7::text is null or strpos(u.data::text, $7) > 0)
    and (u.expires_at is null or u.expires_at > now())
    and ($5::text is null or s.actor_id = $5) and ($6::text is null or s.session_id = $6)
    and lower(well_formed(e.data) ->> 'role') in ('assistant', 'ai') and well_formed(e.data) ->> 'content' <> ''
    and ${HEARD_SOMETHING}
    and not exists (
      select from events r
      where r.session_key = u.session_key and r.sequence > u.sequence and r.type = 'history.reset'
        and well_formed(r.data) ->> 'agentId' is null
    )
  order by a.position ${ORDER[direction]} limit 1`;
