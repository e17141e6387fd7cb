import pg from 'pg';

export interface AuditFinding {
  readonly rule: 'position_missing' | 'position_twice' | 'sequence_missing' | 'sequence_twice' | 'session_unknown';
  /**
   * The event log. Event ids are unique within a tenant. Positions have no gaps when assigned and become visible in
   * order, so a reader may safely poll `position > last`.
   *
   * `append` rejects with `MemoryNotFound` (the tenant has no such memory, or it is not open), `MemoryExists`
   * (`memory.created` for an existing memory), `SequenceConflict`, `AgentNotRunning` or `IdempotencyMismatch`; then
   * nothing of the request is stored. It rejects with `LogUnavailable` if the database cannot be reached. When it
   * resolves, the events are durable.
   */
  readonly sessionKey: number | null;
  /** Appends with group commit: concurrent requests share a transaction. */
  readonly count: number;
}

export interface LogAudit {
  readonly head: number;
  readonly events: number;
  /**
   * Events with `position > after`, in position order. Expired events are omitted, so positions may have gaps.
   *
   * @param types only these types; default: all
   * @param through inclusive upper bound of the position; without it, finding rare types may scan a long range
   */
  readonly tombstones: number;
  readonly sessions: number;
  /**
   * Like `readLog`, but the page ends with the event that reaches `maxBytes` of JSON. Contains at least one event if
   * any matches. For readers of event bodies: a thousand events of maximum size do not fit in memory.
   */
  readonly findings: readonly AuditFinding[];
}

/**
 * Events of all types with `position > after`, in position order, without content. Expired events are omitted. Events
 * of erased sessions and deleted memories may be included until they are purged.
 */
const POSITIONS = `
  select position as first, position as last from events where partition = 0
  union all select position, position from tombstones where partition = 0
  union all select first, last from buried_positions where partition = 0`;
const SEQUENCES = `
  select session_key, sequence as first, sequence as last from events where partition = 0
  union all select session_key, sequence, sequence from tombstones where partition = 0
  union all select session_key, first, last from buried_sequences`;
/** Of ranges, how many numbers they name, and how many different ones. */
const NAMED = `coalesce(sum(last - first + 1), 0)::float8 as named`;
const DIFFERENT = `coalesce((
  select sum(upper(r) - lower(r)) from unnest(range_agg(int8range(first, last, '[]')) filter (where first is not null)) r
), 0)::float8 as places`;

/** Like `readSession`, and tells whether more events match. */
const KNOWN = `(exists (select from sessions s where s.session_key = place.session_key)
  or exists (select from closed_sessions c where c.session_key = place.session_key))`;

/**
 * Proves that positions are dense from 1 to the head and each session's sequences from 1 to its newest, tombstones
 * counted as taken places. Reads the whole log in one snapshot; meant for tests, restores and the operator's doubt.
 */
export const auditLog = async (databaseUrl: string): Promise<LogAudit> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const totals = await one<{
      head: number;
      named: number;
      places: number;
      events: number;
      tombstones: number;
      merged: number;
      sessions: number;
    }>(
      client,
      `select coalesce(max(last), 0)::float8 as head, ${NAMED}, ${DIFFERENT},
         (select count(*) from events)::float8 as events, (select count(*) from tombstones)::float8 as tombstones,
         (select coalesce(sum(last - first + 1), 0) from buried_positions)::float8 as merged,
         (select count(*) from sessions)::float8 as sessions
       from (${POSITIONS}) as place`,
    );
    const findings: AuditFinding[] = [];
    const note = (rule: AuditFinding['rule'], sessionKey: number | null, count: number): void => {
      if (count > 0) findings.push({ rule, sessionKey, count });
    };
    note('position_missing', null, totals.head - totals.places);
    note('position_twice', null, totals.named - totals.places);
    const { rows } = await client.query<{
      session_key: number;
      newest: number;
      places: number;
      named: number;
      known: boolean;
      erased: boolean;
    }>(
      `select * from (
         select session_key::float8, coalesce(max(last), 0)::float8 as newest, ${NAMED}, ${DIFFERENT}, ${KNOWN} as known,
           not exists (select from sessions s where s.session_key = place.session_key) as erased
         from (${SEQUENCES}) as place where session_key is not null group by session_key
       ) s
       where not known or named <> places or newest <> places and not erased`,
    );
    for (const row of rows) {
      // When new events of a session become due for extraction.
      note('sequence_missing', row.session_key, row.erased ? 0 : row.newest - row.places);
      note('sequence_twice', row.session_key, row.named - row.places);
      note('session_unknown', row.session_key, row.known ? 0 : 1);
    }
    const { head, events, tombstones, merged, sessions } = totals;
    return { head, events, tombstones: tombstones + merged, sessions, findings };
  } finally {
    await client.end();
  }
};

const one = async <T extends object>(client: pg.Client, text: string): Promise<T> => {
  const { rows } = await client.query<T>(text);
  return rows[0] as T;
};
