import pg from 'pg';

interface AuditFinding {
  readonly rule: 'position_missing' | 'position_twice' | 'sequence_missing' | 'sequence_twice' | 'session_unknown';
  /** Null for findings about the whole log. */
  readonly sessionKey: number | null;
  /** How many numbers are affected. */
  readonly count: number;
}

export interface LogAudit {
  readonly head: number;
  readonly events: number;
  /** Positions of deleted events, including those merged into ranges. */
  readonly tombstones: number;
  readonly sessions: number;
  /** Empty if the log is intact. */
  readonly findings: readonly AuditFinding[];
}

/** Used positions and sequences as ranges. Merged tombstones have no session, and their sequences have no position. */
const POSITIONS = `
  select position as first, position as last from events where partition = 0
  union all select position, position from tombstones where partition = 0
  union all select first, last from buried_positions where partition = 0`;
const SEQUENCES = `
  select session_key, sequence as first, sequence as last from events where partition = 0
  union all select session_key, sequence, sequence from tombstones where partition = 0
  union all select session_key, first, last from buried_sequences`;
/** For a set of ranges: total numbers covered, and distinct numbers covered. */
const NAMED = `coalesce(sum(last - first + 1), 0)::float8 as named`;
const DIFFERENT = `coalesce((
  select sum(upper(r) - lower(r)) from unnest(range_agg(int8range(first, last, '[]')) filter (where first is not null)) r
), 0)::float8 as places`;

/** The session exists or was closed permanently. */
const KNOWN = `(exists (select from sessions s where s.session_key = place.session_key)
  or exists (select from closed_sessions c where c.session_key = place.session_key))`;

/**
 * Verifies that positions are dense from 1 to the head, and that the sequences of each session are dense from 1 to its
 * newest. Tombstones count as used. Reads the whole log in one snapshot; intended for tests, restores and manual checks
 * by the operator.
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
      // Merged sequences of an erased session are not stored.
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
